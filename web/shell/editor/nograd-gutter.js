/** The gutter in front of the line numbers: a square per line that turns no_grad on or off. */
import { RangeSet, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter } from "@codemirror/view";
import { t } from "../words.js";

const BLOCK = /^(\s*)with\s+torch\.(no_grad|inference_mode)\(\)\s*:/;

/**
 * The lines under `with torch.no_grad():`, its own line included.
 * @param {import("@codemirror/state").Text} doc
 * @returns {Set<number>}
 */
export function linesUnderNoGrad(doc) {
  /** @type {Set<number>} */
  const found = new Set();
  let depth = -1;
  for (let number = 1; number <= doc.lines; number++) {
    const { text } = doc.line(number);
    if (!text.trim()) continue;
    const indent = text.length - text.trimStart().length;
    if (indent <= depth) depth = -1;
    const opens = BLOCK.exec(text);
    if (opens && depth < 0) depth = indent;
    if (depth >= 0) found.add(number);
  }
  return found;
}

const HATCHED = Decoration.line({ class: "nograd" });

/** @param {import("@codemirror/state").Text} doc */
const hatch = (doc) =>
  Decoration.set([...linesUnderNoGrad(doc)].map((number) => HATCHED.range(doc.line(number).from)));

/** The same hatching as in the graph, on the lines that record nothing. */
export const noGradLines = StateField.define({
  create: (state) => hatch(state.doc),
  update: (value, transaction) => (transaction.docChanged ? hatch(transaction.state.doc) : value),
  provide: (field) => EditorView.decorations.from(field),
});

/** Lines that compute something, so that no_grad would matter. @param {string} text */
const computes = (text) =>
  /[=(]/.test(text) &&
  !/^\s*(#|import\b|from\b|def\b|class\b|return\b|else\b|elif\b|except\b|finally\b|try\b)/.test(
    text,
  );

class Square extends GutterMarker {
  /** @param {number} line @param {boolean} on */
  constructor(line, on) {
    super();
    this.line = line;
    this.on = on;
  }
  /** @param {Square} other */
  eq(other) {
    return other.line === this.line && other.on === this.on;
  }
  toDOM() {
    const button = document.createElement("button");
    const label = t(this.on ? "nograd.off" : "nograd.on", { line: this.line });
    button.type = "button";
    button.tabIndex = -1;
    button.className = this.on ? "on" : "";
    button.title = label;
    button.setAttribute("aria-label", label);
    button.setAttribute("aria-pressed", String(this.on));
    button.dataset.line = String(this.line);
    return button;
  }
}

/**
 * @param {(first: number, last: number, on: boolean) => void} toggle
 */
export function noGradGutter(toggle) {
  return gutter({
    class: "cm-nograd",
    markers(view) {
      const { doc } = view.state;
      const under = linesUnderNoGrad(doc);
      const marks = [];
      for (let number = 1; number <= doc.lines; number++) {
        const line = doc.line(number);
        const on = under.has(number);
        if (on || computes(line.text)) marks.push(new Square(number, on).range(line.from));
      }
      return RangeSet.of(marks);
    },
    lineMarkerChange: (update) => update.docChanged,
    domEventHandlers: {
      click(view, line, event) {
        const button = /** @type {HTMLElement} */ (event.target).closest("button");
        if (!button) return false;
        const number = view.state.doc.lineAt(line.from).number;
        toggle(number, number, !button.classList.contains("on"));
        return true;
      },
    },
  });
}
