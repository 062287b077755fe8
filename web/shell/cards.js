/**
 * A card beside the pointer says what the picture has no room for: of the node or edge under it, of the
 * node the keys have reached, of the table's row that has the focus.
 */
import { figureToPage, pageToFigure } from "./document.js";
import { by } from "./dom.js";

/** The pointer has to rest that long. */
const REST = 140;
const GAP = 10;

/** @typedef {{title: string, about: string, sign: string, rows: [string, string][], box: [number, number, number, number]}} Card */

export class Cards {
  #timer = 0;
  /** What the answer on its way is for: a place in the page, or the node's own. @type {DOMRect | null | undefined} */
  #asked;
  /** The page's box of what is told about now; while the pointer stays in it, nothing is asked again. @type {DOMRect | null} */
  #shown = null;

  /** @param {(question: Record<string, any>) => void} ask */
  constructor(ask) {
    this.ask = ask;
    this.element = document.createElement("div");
    this.element.id = "card";
    this.element.setAttribute("role", "tooltip");
    this.element.hidden = true;
    document.body.append(this.element);
    const graph = by("graph-body");
    graph.addEventListener("pointermove", (event) => this.#moved(event));
    for (const kind of ["pointerleave", "pointerdown", "wheel"]) {
      graph.addEventListener(kind, () => this.hide(), { passive: true });
    }
    by("view-graph").addEventListener("blur", () => this.hide());
    document.addEventListener("focusin", (event) => this.#focused(event));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide(), true);
  }

  hide() {
    clearTimeout(this.#timer);
    this.#asked = undefined;
    this.#shown = null;
    this.element.hidden = true;
  }

  /** The keys moved in the graph. */
  atFocus() {
    this.#question({}, null);
  }

  /** @param {PointerEvent} event */
  #moved(event) {
    const { clientX: x, clientY: y } = event;
    if (event.pointerType !== "mouse" || event.buttons) return this.hide();
    const box = this.#shown;
    if (box && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom) return;
    this.hide();
    this.#timer = window.setTimeout(() => {
      const at = pageToFigure(by("view-graph"))?.(x, y);
      if (at) this.#question({ x: at[0], y: at[1] }, null);
    }, REST);
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const row = event
      .composedPath()
      .find((node) => node instanceof HTMLElement && node.dataset.card);
    if (!(row instanceof HTMLElement)) {
      if (this.#asked) this.hide();
      return;
    }
    this.#question({ key: row.dataset.card }, row.getBoundingClientRect());
  }

  /** @param {Record<string, any>} question @param {DOMRect | null} place */
  #question(question, place) {
    this.#asked = place;
    this.ask({ type: "hover", ...question });
  }

  /** Python's answer; one that is no longer wanted is dropped. @param {Card | null} card */
  show(card) {
    if (this.#asked === undefined) return;
    const box = card && (this.#asked ?? inPage(card.box));
    if (!card || !box) {
      this.element.hidden = true;
      return;
    }
    this.#shown = box;
    this.element.replaceChildren(...content(card));
    this.element.hidden = false;
    this.#place(box);
  }

  /** Below what it tells about, above where there is no room. @param {DOMRect} box */
  #place(box) {
    const { offsetWidth: width, offsetHeight: height, style } = this.element;
    const left = Math.max(
      8,
      Math.min(innerWidth - width - 8, box.left + box.width / 2 - width / 2),
    );
    const below = box.bottom + GAP + height <= innerHeight - 8;
    const top = below ? box.bottom + GAP : Math.max(8, box.top - GAP - height);
    style.left = `${Math.round(left)}px`;
    style.top = `${Math.round(top)}px`;
  }
}

/** @param {[number, number, number, number]} box in figure coordinates */
function inPage([x, y, width, height]) {
  const toPage = figureToPage(by("view-graph"));
  if (!toPage) return null;
  const [left, top] = toPage(x, y);
  const [right, bottom] = toPage(x + width, y + height);
  return new DOMRect(left, top, right - left, bottom - top);
}

/** @param {Card} card */
function content(card) {
  const head = element("p", card.title, "mono");
  const list = element("dl", "");
  for (const [term, said] of card.rows)
    list.append(element("dt", term), element("dd", said, "mono"));
  const parts = [head, card.about ? element("p", card.about, "small faint") : "", list];
  if (card.sign) list.querySelector("dd")?.setAttribute("data-sign", card.sign);
  return parts.filter((part) => part !== "");
}

/** @param {string} name @param {string} text @param {string} [kind] */
function element(name, text, kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = kind;
  return made;
}
