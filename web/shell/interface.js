/** The page's end of the interface worker: one message at a time is answered by patches, a state, done. */
import { PageDocument } from "./document.js";
import { painted } from "./dom.js";
import { Python } from "./python.js";
import { t } from "./words.js";

/**
 * @typedef {{
 *   state: (state: any) => void, code: (message: any) => void, copy: (text: string) => void,
 *   ask: (message: any) => void, card: (card: any) => void,
 *   download: (message: any) => void, problem: (text: string) => void, beforePatch: () => void,
 *   fatal: (text: string) => void}} Told
 */

export class Interface {
  #next = 1;
  /** @type {Map<number, (problem: string) => void>} */
  #waiting = new Map();
  /** While the document is put into the page, what comes after it waits. @type {Promise<void> | null} */
  #embedding = null;
  /** What was said against the message that is being answered. */
  #problem = "";
  /** @type {{message: any, done: Promise<void>, settle: () => void} | null} the newest of a burst */
  #latest = null;
  #busy = false;

  /** @param {import("./assets.js").Assets} assets @param {Told} told */
  constructor(assets, told) {
    this.told = told;
    this.assets = assets;
    this.document = new PageDocument((patch) => this.send({ type: "patch", patch, buffers: [] }));
    this.python = new Python(assets, "interface", {
      message: (message) => this.#receive(message),
      gone: (gone) => told.fatal(gone.message),
    });
    /** @type {Promise<void>} */
    this.ready = new Promise((resolve) => {
      this.isReady = resolve;
    });
  }

  /** @param {object} surroundings */
  async start(surroundings) {
    await this.python.start();
    this.python.send({ type: "start", surroundings });
    return this.ready;
  }

  /**
   * Sends a message; the promise resolves when its result is painted, with why it could not be done or "".
   * @param {{type: string} & Record<string, any>} message
   * @returns {Promise<string>}
   */
  async send(message) {
    const id = this.#next++;
    const problem = await new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.python.send({ ...message, id });
    });
    await painted();
    return problem;
  }

  /**
   * Sends a cursor move. While one is on its way, of several only the newest is sent after it.
   * @param {{type: string} & Record<string, any>} message
   * @returns {Promise<void>}
   */
  async sendNewest(message) {
    if (!this.#busy) {
      this.#busy = true;
      await this.send(message).finally(() => {
        this.#busy = false;
        const latest = this.#latest;
        this.#latest = null;
        if (latest) this.sendNewest(latest.message).then(latest.settle);
      });
      return;
    }
    if (this.#latest) this.#latest.message = message;
    else {
      let settle = () => {};
      const done = /** @type {Promise<void>} */ (
        new Promise((resolve) => (settle = () => resolve()))
      );
      this.#latest = { message, done, settle };
    }
    return this.#latest.done;
  }

  /** @param {any} message */
  #receive(message) {
    if (this.#embedding) {
      this.#embedding.then(() => this.#receive(message));
      return;
    }
    switch (message.type) {
      case "ready":
        this.#embedding = this.#embed(message).finally(() => {
          this.#embedding = null;
        });
        break;
      case "patch":
        this.#patch(message);
        break;
      case "state":
        this.told.state(message);
        break;
      case "code":
        this.told.code(message);
        break;
      case "card":
        this.told.card(message.card);
        break;
      case "copy":
        this.told.copy(message.text);
        break;
      case "ask":
        this.told.ask(message);
        break;
      case "download":
        this.told.download(message);
        break;
      case "error":
        this.#problem = message.message;
        this.told.problem(message.message);
        break;
      case "done":
      case "failed":
        this.#settle(message);
        break;
      default:
        console.error("unknown message", message.type);
    }
  }

  /** @param {any} message */
  async #embed(message) {
    try {
      await this.assets.pageScripts();
      await this.document.embed(message);
      this.isReady?.();
    } catch (error) {
      this.told.fatal(String(error));
    }
  }

  /** @param {any} message */
  #patch(message) {
    this.told.beforePatch();
    const reason = this.document.apply(message);
    if (reason) {
      console.error("patch refused:", reason);
      this.told.problem(t("interface.refused"));
    }
  }

  /** @param {{id: number, type: string, message?: string}} message */
  #settle({ id, type, message }) {
    if (type === "failed") {
      console.error(message);
      this.#problem = t("interface.broken", { reason: lastLine(message ?? "") });
      this.told.problem(this.#problem);
    }
    this.#waiting.get(id)?.(this.#problem);
    this.#waiting.delete(id);
    this.#problem = "";
  }
}

/** What a Python traceback ends with. @param {string} text */
const lastLine = (text) => text.trim().split("\n").at(-1) ?? "";
