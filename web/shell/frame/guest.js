/**
 * The page inside the frame that keeps other people's programs apart: the frame's origin is its own,
 * so there is nothing here of the site around, and everything needed comes from the host by message.
 */

/** @typedef {{opening: import("../link/opening.js").Opening, memory: Record<string, string>, keeps: boolean, home: string, problem: string}} Welcome */

/** Only a frame without an origin takes scripts from the page around. */
export const isGuest = () =>
  self.origin === "null" && document.documentElement.hasAttribute("data-guest");

export class Guest {
  /** @type {Map<string, ReadableStreamDefaultController<Uint8Array>>} */
  #coming = new Map();

  /** @param {Welcome} welcome @param {MessagePort} port */
  constructor(welcome, port) {
    this.welcome = welcome;
    this.port = port;
    port.addEventListener("message", ({ data }) => data.asset && this.#take(data));
    port.start();
  }

  /** Says hello until the host answers with all it knows. @returns {Promise<Guest>} */
  static join() {
    return new Promise((resolve) => {
      const listen = (/** @type {MessageEvent} */ { source, data, ports }) => {
        if (source !== window.parent || !data?.playgroundHost) return;
        removeEventListener("message", listen);
        resolve(new Guest(data.playgroundHost, ports[0]));
      };
      addEventListener("message", listen);
      window.parent.postMessage({ playgroundGuest: true }, "*");
    });
  }

  /** @param {import("../assets.js").Asset} asset @returns {Promise<Response>} */
  async fetch({ name, kind }) {
    const body = new ReadableStream({ start: (coming) => void this.#coming.set(name, coming) });
    this.port.postMessage({ fetch: name });
    const type = kind === "wasm" ? "application/wasm" : "application/octet-stream";
    return new Response(body, { headers: { "Content-Type": type } });
  }

  /** @param {{asset: string, bytes?: Uint8Array, failed?: boolean}} part */
  #take({ asset, bytes, failed }) {
    const coming = this.#coming.get(asset);
    if (bytes) coming?.enqueue(bytes);
    else if (failed) coming?.error(new Error(asset));
    else coming?.close();
    if (!bytes) this.#coming.delete(asset);
  }

  /** What the host keeps for this page, as `preferences` wants it. */
  get memory() {
    const { memory, keeps } = this.welcome;
    return {
      get: (/** @type {string} */ key) => memory[key] ?? null,
      set: (/** @type {string} */ key, /** @type {string | null} */ value) => {
        if (value === null) delete memory[key];
        else memory[key] = value;
        this.port.postMessage({ keep: key, value });
        return keeps;
      },
    };
  }

  /** @returns {import("../kept/work.js").Slot} */
  get slot() {
    const { get, set } = this.memory;
    return { read: () => get("work"), write: (text) => set("work", text) && text !== null };
  }
}
