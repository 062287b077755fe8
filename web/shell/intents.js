/**
 * What can be clicked in Python's HTML carries `data-intent`; one listener for the whole page sends it on.
 * Events that cross shadow roots keep their path, so that one place sees them all.
 */
import { deepFind, deepFocus } from "./dom.js";

/** @param {Event} event @returns {HTMLElement | undefined} */
const carrier = (event) =>
  /** @type {HTMLElement | undefined} */ (
    event.composedPath().find((node) => node instanceof HTMLElement && node.dataset.intent)
  );

/** @param {HTMLElement} element */
const isField = (element) => element.matches("input:not([type=checkbox], [type=radio]), textarea");

/** @param {(intent: Record<string, any>) => void} send */
export function listenForIntents(send) {
  document.addEventListener("click", (event) => {
    const element = carrier(event);
    if (!element || isField(element) || element.matches("select")) return;
    send(intentOf(element));
  });
  document.addEventListener("change", fromSelect, true);
  document.addEventListener("keydown", (event) => {
    const element = carrier(event);
    if (!element || event.isComposing) return;
    if (isField(element)) {
      if (event.key === "Enter")
        send({ ...intentOf(element), value: /** @type {any} */ (element).value });
    } else if ((event.key === "Enter" || event.key === " ") && !isNative(element)) {
      event.preventDefault();
      send(intentOf(element));
    }
  });

  /** `change` does not leave a shadow root by itself: it is only seen for elements of the page. @param {Event} event */
  function fromSelect(event) {
    const element = carrier(event);
    if (element?.matches("select"))
      send({ ...intentOf(element), value: /** @type {any} */ (element).value });
  }
}

/** Buttons and links click themselves on Enter. @param {HTMLElement} element */
const isNative = (element) => element.matches("button, a[href], input, summary, select");

/** A switch says the state it was just given, unless its intent names one. @param {HTMLElement} element */
function intentOf(element) {
  const intent = JSON.parse(element.dataset.intent ?? "{}");
  if (element instanceof HTMLInputElement && element.type === "checkbox" && !("on" in intent)) {
    intent.on = element.checked;
  }
  return intent;
}

/** @type {string | null} key of the element that had the focus before a pane was replaced */
let focusedKey = null;

/** Before Python's panes change. */
export function rememberFocus() {
  const element = deepFocus();
  const key =
    element instanceof HTMLElement || element instanceof SVGElement ? element.dataset.key : null;
  if (key) focusedKey = key;
}

/** After they changed: the same thing has the focus again, if replacing it lost the focus. */
export function restoreFocus() {
  const key = focusedKey;
  focusedKey = null;
  if (!key) return;
  const now = deepFocus();
  if (now && now !== document.body && !now.shadowRoot) return;
  deepFind(document, `[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
}
