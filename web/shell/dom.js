/** Short ways to the page's elements. */

/**
 * The element with this id; the page is ours, so a missing one is a mistake of ours.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function by(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** @param {string} id */
export const buttonBy = (id) => /** @type {HTMLButtonElement} */ (by(id));

export const app = () => /** @type {HTMLElement} */ (document.querySelector(".app"));

/** @param {string} name */
export const icon = (name) => `<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`;

/** The focused element, through shadow roots. @returns {Element | null} */
export function deepFocus() {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element;
}

/**
 * The first element below `root`, shadow roots included, that matches.
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export function deepFind(root, selector) {
  const found = root.querySelector(selector);
  if (found) return /** @type {HTMLElement} */ (found);
  for (const element of root.querySelectorAll("*")) {
    const inside = element.shadowRoot && deepFind(element.shadowRoot, selector);
    if (inside) return inside;
  }
  return null;
}

/** Whether the element is one that takes typed text. @param {Element | null} element */
export const takesText = (element) =>
  element instanceof HTMLElement &&
  (element.isContentEditable ||
    element.matches("textarea, select, input:not([type=range], [type=radio], [type=checkbox])"));

/** After the next frame: what was changed before is painted. A hidden page paints nothing, so it waits no longer. */
export function painted() {
  return new Promise((resolve) => {
    const late = setTimeout(resolve, 120);
    requestAnimationFrame(() => {
      clearTimeout(late);
      setTimeout(resolve); // a task of its own comes after the frame
    });
  });
}
