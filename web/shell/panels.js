/** Tabs, the phone's tabs, the way round the panels, and how big each view's place is. */
import { app, by } from "./dom.js";
import { embedLayout } from "./embed/layout.js";
import { keep, recall } from "./preferences.js";
import { t } from "./words.js";

/** @typedef {"desktop" | "tablet" | "phone" | "embed"} Layout */

/** @returns {Layout} */
export const layout = () =>
  embedLayout() ?? (innerWidth < 900 ? "phone" : innerWidth < 1200 ? "tablet" : "desktop");

/** Leaves and Console share a panel. @param {"leaves" | "console"} name */
export function showSide(name) {
  for (const each of ["leaves", "console"]) {
    const on = each === name;
    // What was printed stays there to be read out and found, also behind the other tab.
    if (each === "leaves") by(each).hidden = !on;
    else by(each).className = on ? "body scroll" : "body spoken";
    const tab = by(`tab-${each}`);
    tab.setAttribute("aria-selected", String(on));
    tab.tabIndex = on ? 0 : -1;
  }
}

/** One panel at a time. @param {string} name */
export function showOnPhone(name) {
  app().dataset.panel = name;
  for (const tab of document.querySelectorAll("#phone-tabs [role=tab]")) {
    const on = /** @type {HTMLElement} */ (tab).dataset.panel === name;
    tab.setAttribute("aria-selected", String(on));
    /** @type {HTMLElement} */ (tab).tabIndex = on ? 0 : -1;
  }
  keep("panel", name);
}

/** Gradients and Inspector share a cell on a tablet. @param {"ledger" | "inspector"} name */
function showDetail(name) {
  app().dataset.detail = name;
  for (const tab of document.querySelectorAll(".detail-tabs [role=tab]")) {
    const on = /** @type {HTMLElement} */ (tab).dataset.detail === name;
    tab.setAttribute("aria-selected", String(on));
    /** @type {HTMLElement} */ (tab).tabIndex = on ? 0 : -1;
  }
}

export function startPanels() {
  for (const list of document.querySelectorAll(".detail-tabs")) {
    for (const name of /** @type {const} */ (["ledger", "inspector"])) {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.setAttribute("role", "tab");
      tab.dataset.detail = name;
      tab.dataset.t = `${name}.title`;
      tab.textContent = t(tab.dataset.t);
      tab.onclick = () => {
        showDetail(name);
        /** @type {HTMLElement | null} */ (
          document.querySelector(`#${name} [data-detail=${name}]`)
        )?.focus();
      };
      list.append(tab);
    }
  }
  by("tab-leaves").onclick = () => showSide("leaves");
  by("tab-console").onclick = () => showSide("console");
  for (const tab of document.querySelectorAll("#phone-tabs [role=tab]")) {
    const button = /** @type {HTMLElement} */ (tab);
    button.onclick = () => showOnPhone(button.dataset.panel ?? "graph");
  }
  for (const list of document.querySelectorAll("[role=tablist]")) {
    list.addEventListener("keydown", (event) => moveInTabs(/** @type {KeyboardEvent} */ (event)));
  }
  showDetail("ledger");
  showOnPhone(recall("panel") ?? "graph");
}

/** Arrow keys go from tab to tab. @param {KeyboardEvent} event */
function moveInTabs(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!by) return;
  const list = /** @type {HTMLElement} */ (event.currentTarget);
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll("[role=tab]")]);
  const at = tabs.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const next = tabs[(at + by + tabs.length) % tabs.length];
  event.preventDefault();
  next?.focus();
  next?.click();
}

const ROUND = ["program", "graph", "side", "ledger", "inspector", "error", "time"];

/** The panel after the one that has the focus. @param {number} direction */
export function focusNextPanel(direction) {
  const shown = ROUND.map(by).filter((panel) => panel.offsetParent !== null);
  const at = shown.findIndex((panel) => panel.contains(document.activeElement));
  const panel = shown[(at + direction + shown.length) % shown.length];
  const stop =
    panel?.id === "program"
      ? /** @type {HTMLElement | null} */ (panel.querySelector(".cm-content"))
      : panel?.id === "time"
        ? by("slider")
        : panel;
  stop?.focus();
}

/** How much room each view has; one that is not shown has the room of the panel in its place. */
export function measureViews() {
  const shown = document.querySelector(`#graph-body`)?.getBoundingClientRect();
  /** @type {Record<string, any>} */
  const sizes = { layout: layout(), ratio: devicePixelRatio };
  for (const name of ["graph", "timeline", "ledger", "inspector"]) {
    const place = by(`view-${name}`).parentElement;
    const box = place?.getBoundingClientRect();
    const known = box?.width ? box : (roomOnPhone(name) ?? shown);
    sizes[name] = { width: Math.round(known?.width ?? 0), height: Math.round(known?.height ?? 0) };
  }
  return sizes;
}

/** @param {string} name @returns {{width: number, height: number} | null} */
function roomOnPhone(name) {
  if (layout() === "desktop") return null;
  const panel = [...document.querySelectorAll(".panel")].find(
    ({ id }) =>
      ["program", "graph", "side", "ledger", "inspector"].includes(id) &&
      by(id).offsetHeight > 0 &&
      (layout() === "phone" || id === "ledger" || id === "inspector"),
  );
  if (!panel) return null;
  const { width, height } = panel.getBoundingClientRect();
  return { width, height: height - (name === "graph" ? 0 : 40) };
}

/** @param {() => void} changed told, not too often, when the room has changed */
export function watchRoom(changed) {
  let timer = 0;
  let last = JSON.stringify(measureViews());
  const look = () => {
    const now = JSON.stringify(measureViews());
    if (now === last) return;
    last = now;
    changed();
  };
  const observer = new ResizeObserver(() => {
    clearTimeout(timer);
    timer = window.setTimeout(look, 80);
  });
  for (const id of ["graph-body", "view-timeline", "view-ledger", "view-inspector"])
    observer.observe(by(id));
}
