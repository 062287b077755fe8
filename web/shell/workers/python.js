/** Boots Python in a worker from what the page posts; nothing is fetched here. */
import { isMemory, prepareToWake } from "./snapshot.js";
import { unpack } from "./unzip.js";

const LIBRARY = "/lib/python3.12";
const SITE = `${LIBRARY}/site-packages`;
const STANDARD = "/lib/python312.zip";
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
  const { snapshot, role } = await inbox.get("start");
  const pyodide = snapshot ? await wakeOrBoot(inbox, role, send) : await boot(inbox);
  return { pyodide, open: () => inbox.open(), rest: () => inbox.get("rest.zip") };
}

/** @param {object} more @returns {Promise<any>} */
const load = (more) =>
  /** @type {any} */ (self).loadPyodide({
    indexURL: NOWHERE,
    stdLibURL: `${NOWHERE}python_stdlib.zip`,
    lockFileURL: `${NOWHERE}pyodide-lock.json`,
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
    stdout: () => {},
    stderr: () => {},
    ...more,
  });

/** The start that always works: the modules are unpacked and imported. @param {Inbox} inbox */
async function boot(inbox) {
  const pyodide = await load({});
  inbox.unpackInto(pyodide);
  await inbox.archives();
  return pyodide;
}

/** @param {Inbox} inbox @param {string} role @param {(text: string) => void} send */
async function wakeOrBoot(inbox, role, send) {
  try {
    return await wake(inbox, role);
  } catch {
    // Another browser, another runtime than the snapshot's: the page brings what it was to replace.
    send(JSON.stringify({ type: "plain" }));
    inbox.startAgain();
    return boot(inbox);
  }
}

/** @param {Inbox} inbox @param {string} role */
async function wake(inbox, role) {
  const libraries = JSON.parse(new TextDecoder().decode(await inbox.get("libraries.json")));
  const files = libraries.map((/** @type {{file: string}} */ { file }) => inbox.get(file));
  const modules = await Promise.all(files);
  const memory = await inbox.get("memory.bin");
  // The runtime makes a memory of this size before it looks, and waits for ever where that fails.
  if (!isMemory(memory)) throw new Error("memory.bin is not a memory");
  const unprepare = prepareToWake(libraries, modules);
  try {
    inbox.skip("python_stdlib.zip");
    const pyodide = await load({ _loadSnapshot: memory });
    inbox.forget("memory.bin");
    inbox.unpackInto(pyodide);
    await inbox.archives();
    pyodide.pyimport("playground.late").woken(role);
    return pyodide;
  } finally {
    unprepare();
  }
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
  /** What Python starts without although it is asked for. @type {Set<string>} */
  #skipped = new Set();
  /** Whether all that Python starts with is unpacked, so that the rest may come over it. */
  #complete = false;
  /** @type {any} */
  #pyodide = null;

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
    if (data.kind === "archive" || this.#skipped.has(data.asset)) this.#unpack(data);
    // An archive lives on in the file system alone.
    this.#values.set(data.asset, data.kind === "archive" ? true : data.value);
    this.#wanted.get(data.asset)?.(data.value);
  }

  /** @param {string} name @returns {Promise<any>} */
  get(name) {
    if (this.#values.has(name)) return Promise.resolve(this.#values.get(name));
    return new Promise((resolve) => this.#wanted.set(name, resolve));
  }

  /** @param {string} name */
  forget(name) {
    this.#values.delete(name);
  }

  /** Lets Python start with an empty file of this name; the file comes later. @param {string} name */
  skip(name) {
    this.#skipped.add(name);
  }

  /** @param {string} name */
  skips(name) {
    return this.#skipped.has(name);
  }

  /** Forgets what was unpacked into an interpreter that did not come up. */
  startAgain() {
    this.#pyodide = null;
    this.#skipped.clear();
    this.forget("archives");
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
    if (this.#skipped.has(posted.asset)) FS.writeFile(STANDARD, new Uint8Array(posted.value));
    else unpack(posted.value, FS, later ? LIBRARY : SITE);
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
    if (name === "pyodide.asm.wasm" || inbox.skips(name)) return new Response();
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
