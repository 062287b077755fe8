/** The page as a part of another: only the panels asked for, everything else out of the way. */
import { app, by } from "../dom.js";
import { showOnPhone, showSide } from "../panels.js";
import { linkOf } from "../share/link.js";
import { heights, NARROW, PHONE_HEIGHT, rowsOf } from "./measure.js";

/** Widths at which the page's own layout changes, and those for a part of a page. */
const WIDTHS = {
  "1199.98px": "639.98px",
  "1200px": "640px",
  "899.98px": "639.98px",
  "900px": "640px",
};

/** Below this width a part is laid out as on a phone. */
let narrow = NARROW;

/** @returns {"embed" | "phone" | null} null where the page is on its own */
export function embedLayout() {
  if (!isPart()) return null;
  return innerWidth < narrow ? "phone" : "embed";
}

const isPart = () => document.documentElement.hasAttribute("data-embed");

/** Before the panels are started. @param {string[] | null} panels */
export function showOnly(panels) {
  if (!panels) return;
  document.documentElement.setAttribute("data-embed", "");
  app().dataset.shows = panels.join(" ");
  if (!moveBreakpoints()) narrow = 900;
  const error = ["ledger", "inspector", "graph"].find((name) => panels.includes(name));
  app().dataset.errorIn = error ?? panels[0];
}

/** After. @param {string[] | null} panels @param {string} title */
export function arrange(panels, title) {
  if (!panels) return;
  if (!panels.includes("leaves") && panels.includes("console")) showSide("console");
  if (!panels.includes(app().dataset.panel ?? "")) {
    showOnPhone(panels.includes("graph") ? "graph" : panels[0]);
  }
  const name = /** @type {HTMLElement} */ (document.querySelector(".brand [data-t]"));
  if (title) {
    name.removeAttribute("data-t");
    name.textContent = title;
    document.title = title;
  }
}

/** @returns {boolean} whether the style sheet is one whose rules may be read */
function moveBreakpoints() {
  try {
    for (const sheet of document.styleSheets) {
      for (const rule of sheet.cssRules) {
        if (!(rule instanceof CSSMediaRule)) continue;
        rule.media.mediaText = rule.media.mediaText.replace(
          /\b(1199\.98|1200|899\.98|900)px/g,
          (width) => WIDTHS[/** @type {keyof typeof WIDTHS} */ (width)],
        );
      }
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * Rows as high as they need to be, the wish told to the page around, and the way to the whole page.
 * @param {import("../playground.js").Playground} playground
 * @param {string[] | null} panels
 * @param {string} home
 */
export function fitToPanels(playground, panels, home) {
  if (!panels) return;
  let told = 0;
  const fit = () => {
    const { rows, whole } = heights(panels, playground.editor.view.state.doc.lines);
    const wide = embedLayout() === "embed";
    app().style.gridTemplate = wide ? template(panels, rows) : "";
    const height = wide ? whole : PHONE_HEIGHT;
    if (height === told) return;
    told = height;
    playground.dispatchEvent(new CustomEvent("size", { detail: { height } }));
  };
  const whole = /** @type {HTMLAnchorElement} */ (by("open-whole"));
  const point = async () => {
    whole.href = await linkOf(playground, home);
  };
  for (const event of ["change", "run", "step"]) playground.addEventListener(event, point);
  playground.addEventListener("change", fit);
  addEventListener("resize", fit);
  point();
  fit();
}

/** @param {string[]} panels @param {number[]} heights */
function template(panels, heights) {
  const rows = rowsOf(panels).flatMap((row, i) => {
    if (row.length === 0) return [];
    const height = row[0] === "graph" ? `minmax(${heights[i]}px, 1fr)` : `${heights[i]}px`;
    return [`"${row[0]} ${row[1] ?? row[0]}" ${height}`];
  });
  const columns = "minmax(0, 448fr) minmax(0, 452fr)";
  return `"top top" 40px ${rows.join(" ")} "time time" 48px / ${columns}`;
}
