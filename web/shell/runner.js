/**
 * Runs programs: one question, one answer. Stop ends the interpreter and starts the next at once, and so
 * does the page when no answer comes.
 */
import { Gone, Python } from "./python.js";

/** Python ends a program after this … */
const SECONDS = 20;
/** … and the page that much later: a loop inside C (`sum(itertools.count())`) never comes back to Python. */
const GRACE = 5;

/**
 * @typedef {{resolve: (reply: any) => void, reject: (gone: Gone) => void, line: number | null,
 *   timer: number}} Waiting
 */

export class Runner {
  #next = 1;
  /** @type {Map<number, Waiting>} */
  #waiting = new Map();

  /** @param {import("./assets.js").Assets} assets @param {(gone: Gone) => void} gone */
  constructor(assets, gone) {
    this.told = gone;
    this.python = new Python(assets, "runner", {
      message: (message) => this.#receive(message),
      gone: (reason) => this.#again(reason),
    });
    this.#expectReady();
  }

  /** Who waits for a Python that never comes up waits for the next. */
  #expectReady() {
    const before = this.isReady;
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve, reject) => {
      this.isReady = () => {
        before?.();
        resolve();
      };
      this.giveUp = reject;
    });
    this.ready.catch(() => {});
  }

  start() {
    return this.python.start();
  }

  /** @param {object} question @returns {Promise<any>} rejects with Gone */
  ask(question) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, line: null, timer: 0 });
      this.python.send({ ...question, budgets: { seconds: SECONDS }, id });
    });
  }

  /** @param {Gone} [gone] */
  stop(gone = new Gone("stopped")) {
    this.python.stop();
    this.#again(gone);
  }

  /** @param {any} message */
  #receive(message) {
    this.#failures = 0;
    if (message.type === "ready") this.isReady?.();
    else if (message.type === "at") this.#follow(message);
    else if (message.type === "worn") this.#replace();
    else this.#answer(message);
  }

  /** @param {any} message */
  #answer(message) {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    clearTimeout(waiting?.timer);
    waiting?.resolve(message);
  }

  /**
   * The program has reached a line: its time counts from the first one to its end (line null).
   * @param {{id: number, line: number | null}} message
   */
  #follow({ id, line }) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    waiting.line = line;
    if (line === null) clearTimeout(waiting.timer);
    else waiting.timer ||= window.setTimeout(() => this.#late(id), (SECONDS + GRACE) * 1000);
  }

  /** @param {number} id */
  #late(id) {
    const line = this.#waiting.get(id)?.line ?? null;
    this.stop(new Gone("late", { seconds: SECONDS, line }));
  }

  /** Memory that a program made Python take is never given back: another Python begins with little. */
  #replace() {
    if (this.#waiting.size > 0) return;
    this.python.stop();
    this.#expectReady();
    this.start();
  }

  /** Deaths without a word in between; a Python that cannot even start is not started for ever. */
  #failures = 0;

  /** @param {Gone} gone */
  #again(gone) {
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(gone);
    }
    this.#waiting.clear();
    this.#expectReady();
    if (gone.reason === "crashed" || gone.reason === "silent") this.#failures++;
    if (this.#failures < 3) this.start();
    else this.giveUp?.(gone);
    this.told(gone);
  }
}
