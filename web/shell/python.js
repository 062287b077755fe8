/**
 * The page's end of one Python worker. The worker is made from a blob, so that it inherits the
 * page's content security policy; its assets are posted from the page's memory.
 */
import { t } from "./words.js";

/** A Python that is no longer there: stopped by the page, or dead by itself. */
export class Gone extends Error {
  /**
   * @param {"stopped" | "late" | "crashed" | "silent"} reason
   * @param {{detail?: string, seconds?: number, line?: number | null}} [facts]
   */
  constructor(reason, facts = {}) {
    super(facts.detail ?? reason);
    this.reason = reason;
    this.facts = facts;
  }
}

export class Python {
  /** @type {Worker | null} */
  #worker = null;
  /** Ends the wait for the worker's life lock. @type {AbortController} */
  #watch = new AbortController();

  /**
   * @param {import("./assets.js").Assets} assets
   * @param {import("./assets.js").Role} role
   * @param {{message: (message: any) => void, gone: (gone: Gone) => void}} told
   */
  constructor(assets, role, told) {
    this.assets = assets;
    this.role = role;
    this.told = told;
  }

  async start() {
    const watch = this.#watch;
    const parts = await Promise.all(
      ["pyodide.js", "pyodide.asm.js", `${this.role}-worker.js`].map((name) =>
        this.assets.get(name),
      ),
    );
    if (watch.signal.aborted) return;
    const url = URL.createObjectURL(new Blob([parts.join("\n;")], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.#worker = worker;
    worker.onmessage = ({ data }) => this.#receive(worker, data);
    worker.onerror = (event) => this.#die(worker, new Gone("crashed", { detail: event.message }));
    const how = { snapshot: this.assets.snapshot, role: this.role };
    worker.postMessage({ asset: "start", kind: "bytes", value: how });
    this.#give(worker);
  }

  /** @param {Worker} worker */
  #give(worker) {
    const meant = this.assets.meantFor(this.role);
    const archives = meant.filter(({ kind, later }) => kind === "archive" && !later);
    worker.postMessage({
      asset: "archives",
      kind: "bytes",
      value: archives.map(({ name }) => name),
    });
    for (const asset of meant) this.#post(worker, asset);
  }

  /** The snapshot does not suit this browser: from now on Python starts without. @param {Worker} worker */
  #startPlain(worker) {
    this.assets.choose(false);
    this.assets.load();
    this.#give(worker);
  }

  /** Passes on what came later. */
  giveLater() {
    if (!this.#worker) return;
    for (const asset of this.assets.meantFor(this.role)) {
      if (asset.later) this.#post(this.#worker, asset);
    }
  }

  /** @param {object} message */
  send(message) {
    this.#worker?.postMessage(JSON.stringify(message));
  }

  /** Ends the worker at once, whatever it is doing. */
  stop() {
    this.#watch.abort();
    this.#watch = new AbortController();
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** @param {Worker} worker @param {import("./assets.js").Asset} asset */
  #post(worker, { name, kind, later }) {
    this.assets.get(name).then(
      (value) => worker.postMessage({ asset: name, kind, value }),
      (error) => {
        // What was only going to come later is missed by some program at most: it is told so.
        if (later) worker.postMessage({ asset: name, kind: "bytes", value: null });
        else this.#die(worker, new Gone("crashed", { detail: error.message }));
      },
    );
  }

  /** @param {Worker} worker @param {string} data */
  #receive(worker, data) {
    if (worker !== this.#worker) return;
    const message = JSON.parse(data);
    if (message.type === "alive") this.#watchLife(worker, message.lock);
    else if (message.type === "plain") this.#startPlain(worker);
    else if (message.type === "fatal")
      this.#die(worker, new Gone("crashed", { detail: message.message }));
    else this.told.message(message);
  }

  /**
   * A worker holds a lock as long as it lives. A program that closes its own worker says nothing, but
   * the lock comes free, even while no answer was due.
   * @param {Worker} worker @param {string} lock
   */
  #watchLife(worker, lock) {
    navigator.locks
      .request(lock, { signal: this.#watch.signal }, () => {
        this.#die(worker, new Gone("silent"));
      })
      .catch(() => {});
  }

  /** @param {Worker} worker @param {Gone} gone */
  #die(worker, gone) {
    if (worker !== this.#worker) return;
    this.stop();
    this.told.gone(gone);
  }
}

/** The sentence that fits: its key and what it speaks of. @param {Gone} gone */
export const sentenceOf = ({ reason, facts: { seconds = 0, line } }) => ({
  key: reason === "late" && line ? "run.lateAt" : `run.${reason}`,
  facts: { seconds, line: line ?? 0 },
});

/** The notice that fits. @param {Gone} gone */
export const noticeOf = (gone) => {
  const { key, facts } = sentenceOf(gone);
  return t(key, facts);
};
