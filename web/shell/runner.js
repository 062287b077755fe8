/** Runs programs: one question, one answer. Stop ends the interpreter and starts the next at once. */
import { Gone, Python } from "./python.js";

export class Runner {
  #next = 1;
  /** @type {Map<number, {resolve: (reply: any) => void, reject: (gone: Gone) => void}>} */
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

  #expectReady() {
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve) => {
      this.isReady = resolve;
    });
  }

  start() {
    return this.python.start();
  }

  /** @param {object} question @returns {Promise<any>} rejects with Gone */
  ask(question) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.python.send({ ...question, id });
    });
  }

  stop() {
    this.python.stop();
    this.#again(new Gone("stopped"));
  }

  /** @param {any} message */
  #receive(message) {
    this.#failures = 0;
    if (message.type === "ready") {
      this.isReady?.();
      return;
    }
    this.#waiting.get(message.id)?.resolve(message);
    this.#waiting.delete(message.id);
  }

  /** Deaths without a word in between; a Python that cannot even start is not started for ever. */
  #failures = 0;

  /** @param {Gone} gone */
  #again(gone) {
    for (const { reject } of this.#waiting.values()) reject(gone);
    this.#waiting.clear();
    this.#expectReady();
    if (gone.reason !== "stopped") this.#failures++;
    if (this.#failures < 3) this.start();
    this.told(gone);
  }
}
