/** The two menus: examples, and on a phone everything the top bar has no room for. */
import { by } from "./dom.js";
import { addressOf, isOneFile } from "./onefile/embedded.js";
import { home } from "./site.js";
import { has, t } from "./words.js";

/** @typedef {{text: string, note?: string, current?: boolean, act: () => void}} Item */

/**
 * A button that opens a menu of native buttons; arrow keys move, Escape and a click outside close it.
 * @param {HTMLElement} button
 * @param {HTMLElement} menu
 * @param {() => Item[]} items
 */
export function menuButton(button, menu, items) {
  const isOpen = () => menu.matches(":popover-open");
  // By the time of the click, pressing the button of an open menu has closed it: it lies outside.
  let wasOpen = false;
  button.onpointerdown = () => {
    wasOpen = isOpen();
  };
  button.onclick = (event) => {
    if (isOpen()) return menu.hidePopover();
    if (wasOpen && event.detail > 0) return;
    fill(menu, items());
    menu.showPopover();
    place(menu, button);
    /** @type {HTMLElement | null} */ (menu.querySelector("button"))?.focus();
  };
  menu.addEventListener("toggle", () => button.setAttribute("aria-expanded", String(isOpen())));
  menu.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const all = /** @type {HTMLElement[]} */ ([...menu.querySelectorAll("button")]);
    const at = all.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    all[(at + by + all.length) % all.length]?.focus();
  });
}

/** @param {HTMLElement} menu @param {Item[]} items */
function fill(menu, items) {
  menu.replaceChildren(
    ...items.map(({ text, note, current, act }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "item";
      if (current) button.setAttribute("aria-current", "true");
      button.append(text);
      if (note) {
        const small = document.createElement("div");
        small.className = "small faint";
        small.textContent = note;
        button.append(small);
      }
      button.onclick = () => {
        if (menu.popover) menu.hidePopover();
        act();
      };
      return button;
    }),
  );
}

/** Under its button, or under that of the page's menu where the button is hidden. @param {HTMLElement} menu @param {HTMLElement} button */
function place(menu, button) {
  const box = (button.offsetParent ? button : by("more")).getBoundingClientRect();
  menu.style.top = `${box.bottom + 4}px`;
  menu.style.maxHeight = `${innerHeight - box.bottom - 12}px`;
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
}

/**
 * @param {{name: string, text: string}[]} examples
 * @param {(text: string) => void} open
 * @param {() => string} program the text in the editor
 * @returns {Item[]}
 */
export function exampleItems(examples, open, program) {
  return examples.map(({ name, text }) => ({
    text: has(`example.${name}`) ? t(`example.${name}`) : name,
    note: has(`example.${name}.note`) ? t(`example.${name}.note`) : undefined,
    current: program() === text,
    act: () => open(text),
  }));
}

/**
 * What an empty page begins with: the first three examples as cards.
 * @param {Item[]} items
 */
export function showCards(items) {
  fill(by("empty-cards"), items.slice(0, 3));
}

/** Fills and opens the list of keys. */
export function showKeys() {
  const dialog = /** @type {HTMLDialogElement} */ (by("keys-help"));
  const mod = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl";
  /** @type {[string[], string][]} */
  const rows = [
    [[`${mod} Enter`], "run"],
    [["Esc"], "stop"],
    [["←", "→"], "step"],
    [["Shift ←", "Shift →"], "line"],
    [["Home", "End"], "ends"],
    [["Space"], "play"],
    [["←", "→", "↑", "↓"], "graph"],
    [["Enter"], "select"],
    [["F"], "fold"],
    [[`${mod} Alt N`], "nograd"],
    [["Esc, Tab"], "leave"],
    [["F6"], "panel"],
    [["?"], "help"],
  ];
  const list = rows
    .map(
      ([keys, word]) =>
        `<dt>${keys.map((key) => `<kbd>${key}</kbd>`).join(" ")}</dt><dd>${t(`keys.${word}`)}</dd>`,
    )
    .join("");
  dialog.innerHTML = `<h2 id="keys-help-title">${t("keys.title")}</h2>
    <button type="button" class="btn icon-only close" aria-label="${t("notice.close")}"><svg class="icon" aria-hidden="true"><use href="#i-close"/></svg></button>
    <dl>${list}</dl>
    <p class="licenses"><a href="${new URL("licenses.txt", home())}" target="_blank">${t("keys.licenses")}</a></p>`;
  const licenses = /** @type {HTMLAnchorElement} */ (dialog.querySelector(".licenses a"));
  if (isOneFile()) {
    licenses.download = "licenses.txt";
    addressOf("licenses.txt").then((address) => {
      licenses.href = address;
    });
  }
  /** @type {HTMLElement} */ (dialog.querySelector(".close")).onclick = () => dialog.close();
  dialog.onclick = (event) => {
    if (event.target === dialog) dialog.close();
  };
  dialog.showModal();
}
