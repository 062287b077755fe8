/** The program editor: CodeMirror with Python, line numbers, marks and the no_grad gutter. */
import {
  defaultKeymap,
  history,
  historyKeymap,
  indentLess,
  indentMore,
} from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { t } from "../words.js";
import { flashField, flashLines, marksField, showMarks } from "./marks.js";
import { noGradGutter, noGradLines } from "./nograd-gutter.js";

/**
 * @typedef {{changed: (text: string) => void, run: () => void, stop: () => void,
 *   noGrad: (first: number, last: number, on: boolean) => void, picked: (line: number) => void,
 *   pointed: (line: number) => void}} Told
 */

export class Editor {
  #worded = new Compartment();
  #wrapping = new Compartment();
  #resting = 0;
  /** The line the cursor rested on last. */
  #pointed = 1;
  #locking = new Compartment();
  /** The line marked as being executed. @type {number | null} */
  #running = null;

  /** @param {HTMLElement} place @param {string} text @param {Told} told */
  constructor(place, text, told) {
    place.replaceChildren();
    this.view = new EditorView({
      parent: place,
      state: EditorState.create({
        doc: text,
        extensions: [
          noGradGutter(told.noGrad),
          lineNumbers({ domEventHandlers: { click: pickLine(told) } }),
          noGradLines,
          history(),
          pythonLanguage,
          indentUnit.of("    "),
          indentOnInput(),
          bracketMatching(),
          syntaxHighlighting(classHighlighter),
          marksField,
          flashField,
          keymap.of(this.#keys(told)),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          this.#worded.of(this.#words()),
          this.#wrapping.of([]),
          this.#locking.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) told.changed(update.state.doc.toString());
            else if (movedByHand(update)) this.#pointTo(told);
            if (update.geometryChanged) this.#placeNotes();
          }),
          EditorView.domEventHandlers({ scroll: () => this.#placeNotes() }),
        ],
      }),
    });
    this.#openGutters();
  }

  /** CodeMirror hides its gutters from screen readers; of ours only the numbers say nothing. */
  #openGutters() {
    const gutters = this.view.dom.querySelector(".cm-gutters");
    gutters?.removeAttribute("aria-hidden");
    gutters?.querySelector(".cm-lineNumbers")?.setAttribute("aria-hidden", "true");
  }

  /** Escape, then Tab leaves the editor: a keyboard must not be caught here. @param {Told} told */
  #keys(told) {
    let leaving = false;
    const indent = (/** @type {import("@codemirror/view").Command} */ command) => {
      return (/** @type {EditorView} */ view) => !leaving && command(view);
    };
    const run = () => {
      told.run();
      return true;
    };
    const leave = () => {
      leaving = true;
      told.stop();
      return true;
    };
    const watch = (/** @type {EditorView} */ _view, /** @type {KeyboardEvent} */ event) => {
      if (!["Tab", "Shift", "Escape"].includes(event.key)) leaving = false;
      return false;
    };
    return [
      { any: watch },
      { key: "Mod-Enter", run },
      { key: "Escape", run: leave },
      { key: "Tab", run: indent(indentOrTab), shift: indent(indentLess) },
    ];
  }

  #words() {
    return [
      EditorView.contentAttributes.of({
        "aria-label": t("program.title"),
        spellcheck: "false",
        autocapitalize: "off",
        autocorrect: "off",
      }),
      placeholder(t("program.empty")),
    ];
  }

  /** After the language changed: names in the new one. */
  translate() {
    this.view.dispatch({ effects: this.#worded.reconfigure(this.#words()) });
  }

  /** The reader does not type; switches still edit. */
  lock() {
    this.view.dispatch({ effects: this.#locking.reconfigure(EditorState.readOnly.of(true)) });
  }

  /** Told once the cursor rests, and only when it came to another line. @param {Told} told */
  #pointTo(told) {
    clearTimeout(this.#resting);
    this.#resting = window.setTimeout(() => {
      const { doc, selection } = this.view.state;
      const line = doc.lineAt(selection.main.head).number;
      if (line !== this.#pointed && this.view.hasFocus) told.pointed(line);
      this.#pointed = line;
    }, 120);
  }

  /** Words at the ends of lines stand at the edge of what is seen, however far the text goes. */
  #placeNotes() {
    const { scrollDOM, contentDOM } = this.view;
    const gutters = scrollDOM.querySelector(".cm-gutters")?.clientWidth ?? 0;
    const seen = scrollDOM.clientWidth - gutters + scrollDOM.scrollLeft;
    contentDOM.style.setProperty("--seen", `${seen}px`);
  }

  /** @param {boolean} on */
  wrap(on) {
    this.view.dispatch({ effects: this.#wrapping.reconfigure(on ? EditorView.lineWrapping : []) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  get lines() {
    return this.view.state.doc.lines;
  }

  /** Replaces the program by another; what was marked in the old one means nothing in it. @param {string} text */
  set text(text) {
    if (text === this.text) return;
    this.#change(text, []);
    this.show({ running: null, made: null, madeLabel: "", here: "", lines: [] });
  }

  /**
   * Takes an edit made by the page as one undoable change; only the lines that differ are touched,
   * so that the cursor and the scroll place stay.
   * @param {string} text
   */
  edit(text) {
    const before = this.view.state.doc;
    const after = text.split("\n");
    const lines = before.toString().split("\n");
    let first = 0;
    while (first < Math.min(lines.length, after.length) && lines[first] === after[first]) first++;
    let tail = 0;
    const room = Math.min(lines.length, after.length) - first;
    while (tail < room && lines.at(-1 - tail) === after.at(-1 - tail)) tail++;
    const changed = [];
    for (let i = first; i < after.length - tail; i++) changed.push(i + 1);
    this.#change(text, changed);
  }

  /** @param {string} text @param {number[]} flash */
  #change(text, flash) {
    const before = this.text;
    let start = 0;
    while (start < Math.min(before.length, text.length) && before[start] === text[start]) start++;
    let end = 0;
    const room = Math.min(before.length, text.length) - start;
    while (end < room && before.at(-1 - end) === text.at(-1 - end)) end++;
    this.view.dispatch({
      changes: {
        from: start,
        to: before.length - end,
        insert: text.slice(start, text.length - end),
      },
      userEvent: "input.replace",
    });
    if (flash.length) this.view.dispatch({ effects: flashLines.of(flash) });
  }

  /** @param {import("./marks.js").Marks} marks */
  show(marks) {
    const { view } = this;
    const line = marks.running;
    /** @type {import("@codemirror/state").StateEffect<any>[]} */
    const effects = [showMarks.of(marks)];
    if (line && line !== this.#running && line <= view.state.doc.lines && !view.hasFocus) {
      const { from } = view.state.doc.line(line);
      effects.push(EditorView.scrollIntoView(from, { y: "nearest" }));
    }
    this.#running = line;
    view.dispatch({ effects });
  }

  /** First and last line of the selection. @returns {[number, number]} */
  selectedLines() {
    const { doc, selection } = this.view.state;
    const last = doc.lineAt(selection.main.to);
    const untouched = selection.main.to === last.from && !selection.main.empty;
    return [doc.lineAt(selection.main.from).number, untouched ? last.number - 1 : last.number];
  }

  /** @param {string} text */
  insert(text) {
    this.view.dispatch(this.view.state.replaceSelection(text));
    this.view.focus();
  }

  focus() {
    this.view.focus();
  }
}

/** @param {import("@codemirror/view").ViewUpdate} update */
const movedByHand = (update) =>
  update.selectionSet && update.transactions.some((change) => change.isUserEvent("select"));

/** A click on a line's number picks what was made there. @param {Told} told */
function pickLine(told) {
  return (/** @type {EditorView} */ view, /** @type {{from: number}} */ block) => {
    told.picked(view.state.doc.lineAt(block.from).number);
    return true;
  };
}

/** Tab indents the selected lines, or inserts up to the next stop. @type {import("@codemirror/view").Command} */
function indentOrTab(view) {
  const { state } = view;
  if (!state.selection.main.empty) return indentMore(view);
  const { head } = state.selection.main;
  const column = head - state.doc.lineAt(head).from;
  view.dispatch(state.replaceSelection(" ".repeat(4 - (column % 4))));
  return true;
}
