/** The Bokeh document in the page: puts its roots into the panels, carries changes both ways. */
import { leaveOutTheUnseen } from "./lean.js";
import { codeIn, reasonToRefuse } from "./patch-filter.js";

/** @param {any} value text or plain JSON */
const parsed = (value) => (typeof value === "string" ? JSON.parse(value) : value);

export class PageDocument {
  /** @type {any} */
  #document = null;
  #patching = 0;

  /** @param {(patch: string) => void} changed a person did something Python should know */
  constructor(changed) {
    this.changed = changed;
  }

  /**
   * @param {{docs_json: any, render_items: any}} ready
   * @returns {Promise<void>}
   */
  async embed(ready) {
    const docs = parsed(ready.docs_json);
    const reason = codeIn(docs);
    if (reason) throw new Error(reason);
    const { Bokeh } = /** @type {any} */ (window);
    leaveOutTheUnseen(Bokeh);
    const [views] = await Bokeh.embed.embed_items(docs, parsed(ready.render_items));
    this.views = views;
    const roots = [...(views.roots?.values?.() ?? views)];
    this.#document = roots[0].model.document;
    for (const place of document.querySelectorAll("[id^=view-]")) oneStop(place);
    this.#document.on_change((/** @type {any} */ event) => this.#tell(event), false);
  }

  /** @param {{patch: any, buffers?: any}} message @returns {string | null} why it was refused */
  apply({ patch, buffers }) {
    const content = parsed(patch);
    const reason = reasonToRefuse(content);
    if (reason) return reason;
    this.#patching++;
    try {
      this.#document.apply_json_patch(content, new Map(buffers ?? []));
    } finally {
      this.#patching--;
    }
    return null;
  }

  /** @param {any} event */
  #tell(event) {
    if (this.#patching > 0) return;
    this.changed(JSON.stringify(this.#document.create_json_patch([event])));
  }
}

/** A figure is one stop of the Tab key, which its panel has; Bokeh's own would be a second. @param {ParentNode} root */
function oneStop(root) {
  for (const element of root.querySelectorAll("*")) {
    if (element.matches(".bk-events")) /** @type {HTMLElement} */ (element).tabIndex = -1;
    if (element.shadowRoot) oneStop(element.shadowRoot);
  }
}

/**
 * Turns figure coordinates into pixels of the page.
 * @param {HTMLElement} place the element a figure was put into
 * @returns {((x: number, y: number) => [number, number]) | null}
 */
export function figureToPage(place) {
  const plot = plotAt(place);
  if (!plot) return null;
  const { box, x_scale, y_scale } = plot;
  return (x, y) => [box.left + x_scale.compute(x), box.top + y_scale.compute(y)];
}

/**
 * Turns pixels of the page into figure coordinates.
 * @param {HTMLElement} place the element a figure was put into
 * @returns {((x: number, y: number) => [number, number]) | null}
 */
export function pageToFigure(place) {
  const plot = plotAt(place);
  if (!plot) return null;
  const { box, x_scale, y_scale } = plot;
  return (x, y) => [x_scale.invert(x - box.left), y_scale.invert(y - box.top)];
}

/** @param {HTMLElement} place */
function plotAt(place) {
  const { Bokeh } = /** @type {any} */ (window);
  for (const view of Bokeh?.index?.roots ?? []) {
    if (!place.contains(view.el)) continue;
    const plot = plotIn(view);
    if (!plot) return null;
    const box = (plot.canvas_view ?? plot.canvas ?? plot).el.getBoundingClientRect();
    const { x_scale, y_scale } = plot.frame;
    return { box, x_scale, y_scale };
  }
  return null;
}

/** @param {any} view @returns {any} */
function plotIn(view) {
  if (view.frame?.x_scale) return view;
  for (const child of view.child_views ?? []) {
    const found = plotIn(child);
    if (found) return found;
  }
  return null;
}
