/** Boots Python in a worker from what the page posts; nothing is fetched here. */
import { storedFiles } from "./unzip.js";

const SITE = "/lib/python3.12/site-packages";
const LIBRARY = "/lib/python3.12";
/** Addresses have to look absolute; nothing is ever asked for there. */
const NOWHERE = "https://python.invalid/";

/** @typedef {{asset: string, kind: "wasm" | "bytes" | "archive", value: any}} Posted */

/**
 * @param {(text: string) => void} send
 * @param {(message: string) => void} receive gets every JSON message of the page, once Python is up
 * @returns {Promise<{pyodide: any, open: () => void, rest: () => Promise<any>}>} Pyodide, what lets the
 *   messages in, and what waits for the modules that come after the start
 */
export async function bootPython(send, receive) {
  const inbox = new Inbox(receive);
  holdLifeLock(send);
  await serveFromMemory(inbox);
  const pyodide = await /** @type {any} */ (self).loadPyodide({
    indexURL: NOWHERE,
    stdLibURL: `${NOWHERE}python_stdlib.zip`,
    lockFileURL: `${NOWHERE}pyodide-lock.json`,
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
    stdout: () => {},
    stderr: () => {},
  });
  inbox.unpackInto(pyodide);
  await inbox.archives();
  return { pyodide, open: () => inbox.open(), rest: () => inbox.get("rest.zip") };
}

/** Everything the page posts: assets as they come, messages once somebody listens. */
class Inbox {
  /** @type {Map<string, any>} */
  #values = new Map();
  /** @type {Map<string, (value: any) => void>} */
  #wanted = new Map();
  /** @type {string[] | null} messages that came too early */
  #early = [];
  /** @type {Posted[]} */
  #packed = [];
  /** Whether all that Python starts with is unpacked, so that the rest may come over it. */
  #complete = false;
  /** @type {any} */
  #pyodide = null;
  /** @type {Set<string>} */
  #made = new Set();

  /** @param {(message: string) => void} receive */
  constructor(receive) {
    this.receive = receive;
    self.onmessage = ({ data }) => this.#take(data);
  }

  /** @param {Posted | string} data */
  #take(data) {
    if (typeof data === "string") {
      if (this.#early) this.#early.push(data);
      else this.receive(data);
      return;
    }
    if (data.kind === "archive") this.#unpack(data);
    this.#values.set(data.asset, data.value);
    this.#wanted.get(data.asset)?.(data.value);
  }

  /** @param {string} name @returns {Promise<any>} */
  get(name) {
    if (this.#values.has(name)) return Promise.resolve(this.#values.get(name));
    return new Promise((resolve) => this.#wanted.set(name, resolve));
  }

  /** The archives named by the page's first message. */
  async archives() {
    const names = await this.get("archives");
    await Promise.all(names.map((/** @type {string} */ name) => this.get(name)));
    this.#complete = true;
    for (const posted of this.#packed.splice(0)) this.#unpack(posted);
  }

  /** @param {any} pyodide */
  unpackInto(pyodide) {
    this.#pyodide = pyodide;
    for (const posted of this.#packed.splice(0)) this.#unpack(posted);
  }

  open() {
    const early = this.#early ?? [];
    this.#early = null;
    for (const message of early) this.receive(message);
  }

  /** @param {Posted} posted */
  #unpack(posted) {
    const later = posted.asset.startsWith("rest");
    if (!this.#pyodide || (later && !this.#complete)) {
      this.#packed.push(posted);
      return;
    }
    const { FS } = this.#pyodide;
    const root = later ? LIBRARY : SITE;
    for (const [path, bytes] of storedFiles(posted.value)) {
      const file = `${root}/${path}`;
      const folder = file.slice(0, file.lastIndexOf("/"));
      if (!this.#made.has(folder)) FS.mkdirTree(folder);
      this.#made.add(folder);
      FS.writeFile(file, bytes, { canOwn: true });
    }
    if (later) this.#pyodide.pyimport("playground.late").arrived();
  }
}

/** A lock that comes free when this worker ends, however it ends. @param {(text: string) => void} send */
function holdLifeLock(send) {
  const lock = `python-${Date.now()}-${Math.random()}`;
  // Where locks are refused (a sandboxed frame), silence is only noticed by the person waiting.
  navigator.locks
    ?.request(lock, () => {
      send(JSON.stringify({ type: "alive", lock }));
      return new Promise(() => {});
    })
    .catch(() => {});
}

/** Pyodide fetches and compiles by itself: hand it the page's bytes and compiled module. @param {Inbox} inbox */
async function serveFromMemory(inbox) {
  const module = await inbox.get("pyodide.asm.wasm");
  const types = /** @type {Record<string, string>} */ ({
    wasm: "application/wasm",
    json: "application/json",
  });
  self.fetch = async (/** @type {any} */ address) => {
    const name = String(address.url ?? address).replace(NOWHERE, "");
    if (name === "pyodide.asm.wasm") return new Response();
    const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    return new Response(await inbox.get(name), { headers: { "Content-Type": type } });
  };
  const instantiate = WebAssembly.instantiate;
  const fromModule = async (/** @type {any} */ _source, /** @type {any} */ imports) => ({
    module,
    instance: /** @type {any} */ (await instantiate(module, imports)),
  });
  WebAssembly.instantiateStreaming = /** @type {any} */ (fromModule);
}
