/** "Why None?" opens beside the tensor it asks about: below its box, above it where there is no room. */
import { figureToPage } from "./document.js";
import { by, deepFind, deepFocus } from "./dom.js";
import { layout } from "./panels.js";

const GAP = 12;
/** @type {Element | null} what had the focus before the answer opened */
let before = null;

/** @param {{title: string, box: [number, number, number, number] | null} | null | undefined} why */
export function showWhy(why) {
  const place = by("why");
  const opens = Boolean(why) && place.hidden;
  const closes = !why && !place.hidden;
  const inside = closes && place.contains(document.activeElement);
  place.hidden = !why;
  if (inside) giveBack();
  if (!why) return;
  place.setAttribute("aria-label", why.title);
  if (opens) before = deepFocus();
  // The pane's new height is known once it has been drawn.
  requestAnimationFrame(() => {
    float(place, why.box);
    if (opens) place.focus({ preventScroll: true });
  });
}

/** The focus goes back where it was; what was replaced meanwhile is found by its key. */
function giveBack() {
  const key = before instanceof HTMLElement ? before.dataset.key : null;
  const again = before?.isConnected
    ? before
    : key && deepFind(document, `[data-key="${CSS.escape(key)}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  before = null;
}

/** @param {HTMLElement} place @param {[number, number, number, number] | null} box */
function float(place, box) {
  const toPage = figureToPage(by("view-graph"));
  const graph = by("graph-body").getBoundingClientRect();
  const style = place.style;
  if (layout() === "phone" || !toPage) {
    place.dataset.side = "none";
    style.left = style.top = "";
    return;
  }
  const { offsetWidth: width, offsetHeight: height } = place;
  const [x, y] = box ? toPage(box[0], box[1]) : [graph.left + graph.width / 2, graph.top + 24];
  const [right, bottom] = box ? toPage(box[0] + box[2], box[1] + box[3]) : [x, y];
  const middle = Math.max(graph.left, Math.min(graph.right, (x + right) / 2));
  const left = Math.max(8, Math.min(innerWidth - width - 8, middle - 72));
  const below = bottom + GAP + height <= innerHeight - 8 || y - GAP - height < 8;
  const top = below ? Math.min(bottom + GAP, innerHeight - height - 8) : y - GAP - height;
  place.dataset.side = !box ? "none" : below ? "below" : "above";
  style.left = `${Math.round(left)}px`;
  style.top = `${Math.round(Math.max(8, top))}px`;
  style.setProperty(
    "--tip",
    `${Math.round(Math.max(16, Math.min(width - 28, middle - left - 6)))}px`,
  );
}
