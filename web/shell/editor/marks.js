/** Marks in the program: the line being executed, the line a node was made on, culprits, no_grad. */
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutterLineClass } from "@codemirror/view";

/**
 * @typedef {{running: number | null, made: number | null, madeLabel: string, here: string,
 *   lines: {line: number, kind: string, text?: string}[]}} Marks
 */

/** @type {import("@codemirror/state").StateEffectType<Marks>} */
export const showMarks = StateEffect.define();

/** @type {import("@codemirror/state").StateEffectType<number[]>} */
export const flashLines = StateEffect.define();

class LineClass extends GutterMarker {
  /** @param {string} name */
  constructor(name) {
    super();
    this.elementClass = name;
  }
  /** @param {LineClass} other */
  eq(other) {
    return other.elementClass === this.elementClass;
  }
}

/**
 * @param {Marks} marks
 * @returns {Map<number, {classes: Set<string>, note: string}>} by line
 */
function byLine(marks) {
  /** @type {Map<number, {classes: Set<string>, note: string}>} */
  const all = new Map();
  const at = (/** @type {number} */ line) => {
    const entry = all.get(line) ?? { classes: new Set(), note: "" };
    all.set(line, entry);
    return entry;
  };
  if (marks.running) {
    const entry = at(marks.running);
    entry.classes.add("now");
    entry.note = marks.here;
  }
  if (marks.made) {
    const entry = at(marks.made);
    entry.classes.add("about");
    entry.note = marks.madeLabel || entry.note;
  }
  for (const { line, kind, text } of marks.lines) {
    const entry = at(line);
    entry.classes.add(kind);
    if (text) entry.note = text;
  }
  return all;
}

/**
 * @param {import("@codemirror/state").Text} doc
 * @param {Marks} marks
 */
function build(doc, marks) {
  const lines = [];
  const gutters = [];
  for (const [number, { classes, note }] of [...byLine(marks)].sort(([a], [b]) => a - b)) {
    if (number < 1 || number > doc.lines) continue;
    const { from } = doc.line(number);
    const name = [...classes].join(" ");
    const attributes = note ? { "data-note": note } : undefined;
    lines.push(Decoration.line({ class: name, attributes }).range(from));
    gutters.push(new LineClass(name).range(from));
  }
  return { lines: Decoration.set(lines), gutters: RangeSet.of(gutters) };
}

export const marksField = StateField.define({
  create: () => ({
    lines: Decoration.none,
    gutters: /** @type {RangeSet<GutterMarker>} */ (RangeSet.empty),
  }),
  update(value, transaction) {
    let { lines, gutters } = value;
    if (transaction.docChanged) {
      lines = lines.map(transaction.changes);
      gutters = gutters.map(transaction.changes);
    }
    for (const effect of transaction.effects) {
      if (effect.is(showMarks)) ({ lines, gutters } = build(transaction.state.doc, effect.value));
    }
    return { lines, gutters };
  },
  provide: (field) => [
    EditorView.decorations.from(field, (value) => value.lines),
    gutterLineClass.from(field, (value) => value.gutters),
  ],
});

/** Lines an edit of the page's changed: they light up once. */
export const flashField = StateField.define({
  create: () => Decoration.none,
  update(value, transaction) {
    let next = transaction.docChanged ? Decoration.none : value;
    for (const effect of transaction.effects) {
      if (!effect.is(flashLines)) continue;
      const { doc } = transaction.state;
      const ranges = effect.value
        .filter((line) => line >= 1 && line <= doc.lines)
        .map((line) => Decoration.line({ class: "flash" }).range(doc.line(line).from));
      next = Decoration.set(ranges);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});
