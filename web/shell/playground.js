/** The page as a whole: the program, the two interpreters, and what is shown. */
import { Assets } from "./assets.js";
import { Cards } from "./cards.js";
import { app, buttonBy, by } from "./dom.js";
import { Editor } from "./editor/editor.js";
import { linesUnderNoGrad } from "./editor/nograd-gutter.js";
import { rememberFocus } from "./intents.js";
import { Interface } from "./interface.js";
import { finishLoading, isLoading, showFailure, showProgress } from "./loading.js";
import { endMotion } from "./motion.js";
import { layout, measureViews, showOnPhone } from "./panels.js";
import { shownTheme, theme } from "./preferences.js";
import { Gone, noticeOf, sentenceOf } from "./python.js";
import { Questions } from "./questions.js";
import { RunButtons } from "./run-buttons.js";
import { Runner } from "./runner.js";
import { showState } from "./shown.js";
import { Surroundings } from "./surroundings.js";
import { announce, copyText, hideNotice, notice, saveFile } from "./telling.js";
import { Transport } from "./transport.js";
import { language, t } from "./words.js";

/** A first program that takes longer than this no longer hides the panels, so that it can be stopped … */
const PATIENCE = 1500;
/** … and after this the page calls itself ready all the same. */
const LONGEST = 8000;

export class Playground extends Surroundings {
  /** @type {any} what Python said last */
  #shown = { step: 0, steps: 0, node: null, leaves: [], stdout: "", error: null };
  /** Runs follow one another. @type {Promise<any>} */
  #turn = Promise.resolve();
  #pending = 0;
  /** The program the picture belongs to. */
  #ranSource = "";
  #saveTimer = 0;

  /** @param {import("./assets.js").Manifest} manifest @param {import("./surroundings.js").Opening} opening */
  constructor(manifest, opening) {
    super();
    this.manifest = manifest;
    this.opening = opening;
    this.seed = opening.seed;
    this.editor = new Editor(by("editor"), opening.program, {
      changed: (text) => this.#save(text),
      run: () => this.runByHand(),
      stop: () => this.stop(),
      noGrad: (first, last, on) => this.#intend({ intent: "no_grad", first, last, on }),
      picked: (line) => this.#intend({ intent: "line", line }),
      pointed: (line) => this.#point(line),
    });
    if (opening.readonly) this.editor.lock();
    this.buttons = new RunButtons();
    this.transport = new Transport(
      (step) => this.goto(step),
      (size) => this.#intend({ intent: "step-size", size }),
      () => announce(this.transport.sentence),
    );
    this.assets = new Assets(manifest, showProgress, opening.source);
    this.interface = new Interface(this.assets, {
      state: (state) => this.#show(state),
      code: ({ text }) => this.#takeCode(text),
      card: (card) => this.cards.show(card),
      copy: (text) => copyText(text),
      ask: (message) => this.questions.ask(message),
      download: saveFile,
      problem: notice,
      beforePatch: rememberFocus,
      fatal: (reason) =>
        isLoading() ? showFailure(reason) : notice(t("interface.broken", { reason })),
    });
    this.cards = new Cards((question) => this.interface.python.send(question));
    this.runner = new Runner(this.assets, (gone) => {
      if (isLoading() && gone.reason === "crashed") showFailure(gone.message);
      else notice(noticeOf(gone));
    });
    const about = () => ({ source: this.#ranSource, seed: this.seed, step: this.#shown.step });
    this.questions = new Questions(this.runner, this.interface, about);
    /** @type {Promise<Playground>} */
    this.ready = this.#start();
  }

  async #start() {
    this.assets.load();
    for (const { name } of this.assets.list.filter(({ later }) => !later)) {
      this.assets.get(name).catch((error) => showFailure(error.message));
    }
    this.runner.start();
    const up = this.interface.start({
      language: language(),
      theme: shownTheme(),
      viewport: measureViews(),
    });
    await Promise.all([up, this.runner.ready]);
    this.buttons.ready();
    if (this.opening.runs && this.#pending === 0) this.run();
    else if (this.#pending === 0) this.#wait();
    const late = setTimeout(finishLoading, PATIENCE);
    const first = this.#turn.then(() => clearTimeout(late));
    this.#fetchTheRest(
      Promise.race([first, new Promise((resolve) => setTimeout(resolve, PATIENCE))]),
    );
    await Promise.race([first, new Promise((resolve) => setTimeout(resolve, LONGEST))]);
    this.dispatchEvent(new CustomEvent("ready", { detail: this.state() }));
    return this;
  }

  /** Until somebody has read the program and wants it to run. */
  #wait() {
    app().toggleAttribute("data-waiting", true);
    finishLoading();
  }

  /**
   * What no first picture needs, once it is there, or late: then the runner may be waiting for it.
   * @param {Promise<unknown>} picture
   */
  async #fetchTheRest(picture) {
    await picture;
    await this.assets.loadLater();
    this.runner.python.giveLater();
    await this.#turn;
    this.interface.python.giveLater();
  }

  /** Ctrl+Enter or the button: nothing happens while a run is going on. */
  runByHand() {
    if (this.#pending > 0) return;
    if (isLoading()) notice(t("load.waits"));
    this.run();
  }

  /**
   * Runs the program in the editor; resolves when the result is painted.
   * @param {{keep?: boolean}} [how] keep: the cursor goes to the step that matches the one before
   */
  run({ keep: keepCursor = false } = {}) {
    const source = this.editor.text;
    this.#pending++;
    this.transport.pause();
    const mine = this.#turn.then(() => this.#runOnce(source, keepCursor));
    this.#turn = mine.catch(console.error).finally(() => {
      this.#pending--;
      if (this.#pending === 0) this.buttons.idle();
    });
    return mine;
  }

  /** @param {string} source @param {boolean} keepCursor */
  async #runOnce(source, keepCursor) {
    try {
      await Promise.all([this.interface.ready, this.runner.ready]);
      this.buttons.busy();
      if (!isLoading()) hideNotice();
      const question = { type: "run", source, seed: this.seed };
      const { trace } = await this.runner.ask(question);
      this.#ranSource = source;
      performance.mark("trace"); // from here to the picture is the interface's time
      app().toggleAttribute("data-waiting", false);
      await this.interface.send({ type: "trace", trace, keep: keepCursor });
      await this.#goWhereOpened(source);
    } catch (gone) {
      if (!(gone instanceof Gone)) throw gone;
      const error = {
        type: "Stopped",
        message: noticeOf(gone),
        line: gone.facts.line ?? null,
        key: gone.reason === "late" ? "error.budget-seconds" : `run.${gone.reason}`,
      };
      await this.#tellEnd(source, error, gone);
      this.dispatchEvent(new CustomEvent("error", { detail: error }));
      return { ...this.#result(), stdout: "", error };
    } finally {
      finishLoading();
    }
    const result = this.#result();
    this.dispatchEvent(new CustomEvent("run", { detail: result }));
    if (result.error) this.dispatchEvent(new CustomEvent("error", { detail: result.error }));
    return result;
  }

  /**
   * A run without a picture: an error beside that of the run before, and a notice where no panel has room for it.
   * @param {string} source @param {{line: number | null, key: string}} error @param {Gone} gone
   */
  async #tellEnd(source, { line, key }, gone) {
    const other = source !== this.#ranSource;
    await this.interface.send({ type: "ended", other, line, key, why: sentenceOf(gone) });
    if (by("error").checkVisibility()) hideNotice();
  }

  /** The step a link names is that of its own program. @param {string} source */
  async #goWhereOpened(source) {
    const { step, program } = this.opening;
    this.opening = { ...this.opening, step: null };
    if (step !== null && source === program && step <= this.#shown.steps) {
      await this.interface.send({ type: "goto", step });
    }
  }

  #result() {
    const { stdout, error, steps, leaves } = this.#shown;
    return { stdout, error, steps, leaves };
  }

  /** Ends the run that is going on, at once. */
  stop() {
    if (this.#pending > 0 && this.buttons.running) this.runner.stop();
    else this.transport.pause();
  }

  /** When nothing runs any more. */
  async idle() {
    await this.#turn;
  }

  /** @param {number} step */
  async goto(step) {
    await this.#turn;
    const wanted = Math.max(0, Math.min(this.#shown.steps, Math.round(step) || 0));
    endMotion();
    await this.interface.sendNewest({ type: "goto", step: wanted });
  }

  /**
   * Something a view, a key or the contract asks for; resolves when it is done and painted, a run included,
   * with why it could not be done or "".
   * @param {Record<string, any>} intent
   * @returns {Promise<string>}
   */
  async intend(intent) {
    await this.#turn;
    if (intent.intent === "evaluate") return this.questions.evaluate(intent);
    if (intent.intent === "no_grad" && intent.on === undefined) {
      intent = { ...intent, on: !linesUnderNoGrad(this.editor.view.state.doc).has(intent.first) };
    }
    const source = this.editor.text;
    const problem = await this.interface.send({ type: "intent", ...intent, source });
    await this.questions.settled;
    await this.#turn;
    return problem;
  }

  /** The same, for listeners that wait for nothing. @param {Record<string, any>} intent */
  #intend(intent) {
    this.intend(intent).catch(console.error);
  }

  /** The cursor of the editor went to another line: what was made there is picked, if the picture is of this text. @param {number} line */
  #point(line) {
    if (this.#pending === 0 && !this.transport.playing && this.editor.text === this.#ranSource)
      this.#intend({ intent: "line", line });
  }

  /** An edit of Python's: into the editor as one undoable change, and run. @param {string} text */
  #takeCode(text) {
    this.editor.edit(text);
    this.run({ keep: true });
  }

  /** @param {any} state */
  #show(state) {
    const before = this.#shown;
    this.#shown = state;
    this.cards.hide();
    showState(state, before, this, (intent) => this.#intend(intent));
    if (state.step === before.step) return;
    this.dispatchEvent(new CustomEvent("step", { detail: this.state() }));
  }

  /** Where the cursor is in the picture of the program in the editor; null when there is none. */
  get shownStep() {
    return this.#ranSource === this.editor.text && this.#shown.steps > 0 ? this.#shown.step : null;
  }

  /** The last known state; see the page contract. */
  state() {
    const { step, steps, node, leaves, stdout, error } = this.#shown;
    return {
      code: this.editor.text,
      step,
      steps,
      node,
      leaves,
      stdout,
      error,
      language: language(),
      theme: theme(),
    };
  }

  /** Opens another program and runs it. @param {string} text */
  open(text) {
    this.editor.text = text;
    if (layout() === "phone") showOnPhone("graph");
    if (!isLoading()) this.run();
  }

  /** @param {string} text */
  #save(text) {
    this.dispatchEvent(new CustomEvent("change"));
    by("saved").hidden = true;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = window.setTimeout(() => {
      by("saved").hidden = !this.opening.save(text);
    }, 300);
    buttonBy("run").disabled = text.trim() === "" && !isLoading();
  }
}
