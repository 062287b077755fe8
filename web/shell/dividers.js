/** Borders between panels that can be moved, by pointer or arrow keys; where they are is kept. */
import { app, by } from "./dom.js";
import { keep, recall } from "./preferences.js";

const STEP = 16;

/**
 * @typedef {{id: string, property: string, least: number, rest: () => number, horizontal?: boolean,
 *   panel: string}} Divider
 * `least` is the smallest size of what is before the border, `rest` of all that is behind it.
 */

/** @type {Divider[]} */
const DIVIDERS = [
  {
    id: "divider-left",
    property: "--left",
    panel: "program",
    least: 320,
    rest: () => by("ledger").offsetWidth + 360,
  },
  { id: "divider-middle", property: "--middle", panel: "ledger", least: 280, rest: () => 360 },
  {
    id: "divider-rows",
    property: "--upper",
    panel: "program",
    least: 200,
    rest: () => 200,
    horizontal: true,
  },
];

/** @returns {Record<string, number>} */
function remembered() {
  try {
    return JSON.parse(recall("panels") ?? "{}");
  } catch {
    return {};
  }
}

export function startDividers() {
  const sizes = remembered();
  for (const divider of DIVIDERS) {
    const handle = by(divider.id);
    const set = (/** @type {number | null} */ size) => {
      if (size === null) {
        app().style.removeProperty(divider.property);
        delete sizes[divider.property];
      } else sizes[divider.property] = apply(divider, bounded(divider, size));
      keep("panels", JSON.stringify(sizes));
      handle.setAttribute("aria-valuenow", String(sizeOf(divider)));
    };
    const refit = () => {
      const size = sizes[divider.property];
      if (Number.isFinite(size)) apply(divider, bounded(divider, size));
      handle.setAttribute("aria-valuenow", String(sizeOf(divider)));
    };
    refit();
    addEventListener("resize", refit);
    handle.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (handle.hasPointerCapture(event.pointerId)) set(sizeUpTo(divider, event));
    });
    handle.addEventListener("dblclick", () => set(null));
    handle.addEventListener("keydown", (event) => {
      const [less, more] = divider.horizontal
        ? ["ArrowUp", "ArrowDown"]
        : ["ArrowLeft", "ArrowRight"];
      const step = { [less]: -STEP, [more]: STEP }[event.key];
      if (event.key === "Home") set(null);
      else if (step) set(sizeOf(divider) + step);
      else return;
      event.preventDefault();
    });
  }
}

/** @param {Divider} divider */
const sizeOf = ({ panel, horizontal }) => by(panel)[horizontal ? "offsetHeight" : "offsetWidth"];

/** @param {Divider} divider @param {PointerEvent} event */
function sizeUpTo({ panel, horizontal }, event) {
  const box = by(panel).getBoundingClientRect();
  return horizontal ? event.clientY - box.top : event.clientX - box.left;
}

/** @param {Divider} divider @param {number} size */
function bounded(divider, size) {
  const box = by(divider.panel).getBoundingClientRect();
  const room = divider.horizontal
    ? by("time").getBoundingClientRect().top - box.top
    : app().offsetWidth - box.left;
  return Math.round(Math.max(divider.least, Math.min(room - divider.rest(), size)));
}

/** @param {Divider} divider @param {number} size */
function apply({ property }, size) {
  app().style.setProperty(property, `${size}px`);
  return size;
}
