/** Fetches and compiles everything once, with true progress, and keeps it for the next Python. */
import { gunzip } from "./gunzip.js";
import { home } from "./site.js";
import { t } from "./words.js";

/**
 * @typedef {"page" | "python" | "numpy" | "interface"} Stage
 * @typedef {"interface" | "runner"} Role
 * @typedef {{name: string, url: string, bytes: number, stage: Stage, encoding?: "gzip", later?: boolean,
 *   only?: "snapshot", laterWith?: "snapshot",
 *   kind: "script" | "wasm" | "bytes" | "archive" | "page-script", for?: Role[]}} Asset
 * @typedef {{version: string, assets: Asset[], examples: {name: string, text: string}[],
 *   onefile?: {url: string, bytes: number}}} Manifest
 * @typedef {Record<Stage, {loaded: number, total: number}>} Progress
 */

/**
 * Where assets come from. Where the page may ask nobody, its scripts run as text, which the policy
 * allows by what they hold.
 * @typedef {{fetch: (asset: Asset) => Promise<Response>, inline: boolean}} Source
 */

/** @type {Source} */
export const NETWORK = { fetch: ({ url }) => fetch(new URL(url, home())), inline: false };

/** @returns {Manifest} */
export function readManifest() {
  const text = document.getElementById("manifest")?.textContent ?? "{}";
  return { version: "", assets: [], examples: [], ...JSON.parse(text) };
}

/** Bytes and modules by name; each is a promise, so that a worker can start before the last is there. */
export class Assets {
  /** @type {Map<string, Promise<any>>} */
  #values = new Map();
  /** @type {Progress} */
  progress = {
    page: { loaded: 0, total: 0 },
    python: { loaded: 0, total: 0 },
    numpy: { loaded: 0, total: 0 },
    interface: { loaded: 0, total: 0 },
  };

  /**
   * @param {Manifest} manifest
   * @param {(progress: Progress) => void} told
   * @param {Source} source
   */
  constructor(manifest, told, source = NETWORK) {
    this.manifest = manifest;
    this.source = source;
    this.told = told;
    this.choose(snapshotSuits(manifest));
  }

  /**
   * Decides what this start uses: with the snapshot, the modules that it holds already may come later.
   * @param {boolean} snapshot
   */
  choose(snapshot) {
    this.snapshot = snapshot;
    const chosen = this.manifest.assets.filter(({ only }) => snapshot || only !== "snapshot");
    this.list = chosen.map((asset) => ({
      ...asset,
      later: asset.later || (snapshot && asset.laterWith === "snapshot"),
    }));
    for (const stage of Object.values(this.progress)) stage.total = 0;
    for (const { later, stage, bytes } of this.list) {
      if (!later) this.progress[stage].total += bytes;
    }
  }

  /** Begins every fetch that was not begun, in the manifest's order. */
  load() {
    let before = Promise.resolve();
    for (const asset of this.list) {
      if (asset.later || this.#values.has(asset.name)) continue;
      if (asset.kind === "page-script") {
        const mine = this.source.inline
          ? this.#runText(asset, before)
          : this.#runFile(asset, before);
        before = mine;
        this.#values.set(asset.name, mine);
      } else this.#values.set(asset.name, this.#fetch(asset));
    }
    for (const value of this.#values.values()) value.catch(() => {});
  }

  /** Fetches what can wait. @returns {Promise<void>} */
  async loadLater() {
    for (const asset of this.list.filter(({ later, name }) => later && !this.#values.has(name))) {
      this.#values.set(asset.name, this.#fetch(asset));
      await this.#values.get(asset.name)?.catch(() => {});
    }
  }

  /** @param {string} name @returns {Promise<any>} */
  get(name) {
    return this.#values.get(name) ?? Promise.reject(new Error(t("load.missing", { name })));
  }

  /** What a worker of this role is given. @param {Role} role @returns {Asset[]} */
  meantFor(role) {
    return this.list.filter(
      ({ kind, name, for: roles }) =>
        this.#values.has(name) &&
        (kind === "wasm" || kind === "bytes" || (kind === "archive" && roles?.includes(role))),
    );
  }

  /** When the scripts of the page itself have run. */
  pageScripts() {
    const scripts = this.list.filter((asset) => asset.kind === "page-script");
    return Promise.all(scripts.map((asset) => this.get(asset.name)));
  }

  /** @param {Asset} asset */
  async #fetch(asset) {
    const response = await this.source.fetch(asset).catch(() => null);
    if (!response?.ok || !response.body) throw new Error(t("load.missing", { name: asset.name }));
    if (asset.kind === "wasm") {
      // The untouched response is compiled as it comes, and the browser can keep its compiled code.
      const module = await WebAssembly.compileStreaming(response);
      this.#count(asset, asset.bytes);
      return module;
    }
    if (asset.encoding === "gzip") return gunzip(this.#parts(response, asset), asset.bytes);
    const whole = await this.#whole(response, asset);
    const isText = asset.kind === "script" || asset.kind === "page-script";
    return isText ? new TextDecoder().decode(whole) : whole;
  }

  /** @param {Response} response @param {Asset} asset @returns {AsyncGenerator<Uint8Array<ArrayBuffer>>} */
  async *#parts(response, asset) {
    const body = /** @type {ReadableStream<Uint8Array<ArrayBuffer>>} */ (response.body);
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      this.#count(asset, value.length);
      yield value;
    }
  }

  /** @param {Response} response @param {Asset} asset @returns {Promise<ArrayBuffer>} */
  async #whole(response, asset) {
    const parts = [];
    for await (const part of this.#parts(response, asset)) parts.push(part);
    return new Blob(parts).arrayBuffer();
  }

  /** @param {Asset} asset @param {Promise<void>} before @returns {Promise<void>} */
  async #runText(asset, before) {
    const text = await this.#fetch(asset);
    await before;
    const script = document.createElement("script");
    script.textContent = text;
    document.head.append(script);
  }

  /** @param {Asset} asset @param {Promise<void>} before @returns {Promise<void>} */
  async #runFile(asset, before) {
    await before;
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(asset.url, home()).href;
      script.onload = () => {
        this.#count(asset, asset.bytes);
        resolve();
      };
      script.onerror = () => reject(new Error(t("load.missing", { name: asset.name })));
      document.head.append(script);
    });
  }

  /** @param {Asset} asset @param {number} bytes */
  #count(asset, bytes) {
    if (asset.later) return;
    const stage = this.progress[asset.stage];
    stage.loaded = Math.min(stage.total, stage.loaded + bytes);
    this.told(this.progress);
  }
}

/** Whether to start from the memory snapshot: quicker, but more to fetch. @param {Manifest} manifest */
function snapshotSuits({ assets }) {
  const asked = new URLSearchParams(location.search).get("start");
  const line = /** @type {any} */ (navigator).connection;
  const slow = line?.saveData || (line?.effectiveType ?? "4g") !== "4g";
  return assets.some(({ only }) => only === "snapshot") && asked !== "plain" && !slow;
}
