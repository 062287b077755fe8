/**
 * `<autograd-playground program="…" lang theme panels step seed readonly heading load="click|visible|now">`
 * in any page. Until somebody wants it there is only its program; then it is a frame of the playground.
 */
import { pack } from "../link/codec.js";
import { fromOptions } from "../link/opening.js";
import { heights, NARROW, PHONE_HEIGHT } from "./measure.js";
import { poster } from "./poster.js";

const SITE = new URL("./", /** @type {HTMLScriptElement} */ (document.currentScript).src);
const SANDBOX =
  "allow-scripts allow-same-origin allow-downloads allow-modals allow-popups allow-popups-to-escape-sandbox";
const PASSED = ["lang", "theme", "panels", "step", "seed"];

/** So many without a name of their own are before this one in the page. */
let unnamed = 0;

class AutogradPlayground extends HTMLElement {
  /** @type {HTMLIFrameElement | null} */
  #frame = null;
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();
  #asked = 0;
  #begun = false;

  constructor() {
    super();
    /** @type {Promise<HTMLIFrameElement>} the frame, once it is wanted */
    this.started = new Promise((resolve) => {
      this.begin = resolve;
    });
  }

  connectedCallback() {
    if (this.#begun) return;
    this.#begun = true;
    // The text inside may be the program; while the page is being read it may not be there yet.
    if (document.readyState === "loading" && !this.hasAttribute("program")) {
      document.addEventListener("DOMContentLoaded", () => this.#open(), { once: true });
    } else this.#open();
  }

  async #open() {
    const program = this.getAttribute("program") ?? trimmed(this.textContent ?? "");
    const options = this.#options();
    const { panels, title, language, theme } = fromOptions(options);
    const lines = program.split("\n").length;
    const height =
      this.clientWidth && this.clientWidth < NARROW
        ? PHONE_HEIGHT
        : heights(panels ?? [], lines).whole;
    const root = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const place = document.createElement("div");
    this.style.display ||= "block";
    place.style.height = `${height}px`;
    root.replaceChildren(place);
    const load = this.getAttribute("load") ?? "click";
    const waits = load === "now" ? "" : load;
    const byHand =
      waits !== "" && (await poster(place, { program, title, language, theme, waits }));
    addEventListener("message", (event) => this.#take(event));
    const frame = document.createElement("iframe");
    frame.title = title || "Autograd Playground";
    frame.setAttribute("sandbox", SANDBOX);
    frame.allow = "clipboard-write";
    frame.style.cssText =
      "display: block; width: 100%; height: 100%; border: 0; border-radius: 10px";
    frame.src = `${new URL("index.html", SITE)}?${options}#${await pack(new URLSearchParams(), program)}`;
    place.replaceChildren(frame);
    this.#frame = frame;
    frame.onload = () => {
      if (byHand) frame.focus();
      this.begin?.(frame);
    };
    if (byHand) this.call("run").catch(() => {});
  }

  #options() {
    const options = new URLSearchParams({ embed: "", origins: location.origin });
    for (const name of PASSED) {
      const value = this.getAttribute(name);
      if (value !== null) options.set(name, value);
    }
    if (this.hasAttribute("readonly")) options.set("readonly", "");
    options.set("title", this.getAttribute("heading") ?? "");
    options.set("id", `${location.pathname}#${this.id || unnamed++}`);
    return options;
  }

  /**
   * A verb of the page contract; waits until the playground is started and ready.
   * @param {string} verb @param {...any} args @returns {Promise<any>}
   */
  async call(verb, ...args) {
    const frame = await this.started;
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      frame.contentWindow?.postMessage({ playground: verb, args, id }, SITE.origin);
    });
  }

  /** @param {MessageEvent} event */
  #take({ source, origin, data }) {
    if (source !== this.#frame?.contentWindow || origin !== SITE.origin) return;
    if (data?.event) {
      if (data.playground === "size") this.#fit(data.detail.height);
      this.dispatchEvent(new CustomEvent(data.playground, { detail: data.detail }));
      return;
    }
    const waiting = this.#waiting.get(data?.id);
    this.#waiting.delete(data?.id);
    if (data?.error === undefined) waiting?.resolve(data?.result);
    else waiting?.reject(new Error(data.error));
  }

  /** @param {number} height */
  #fit(height) {
    const place = this.#frame?.parentElement;
    if (place) place.style.height = `${Math.max(200, Math.min(4000, Number(height) || 0))}px`;
  }
}

/** A program written between the tags, without the lines and the indentation of the page's source. @param {string} text */
function trimmed(text) {
  const lines = text
    .replace(/^\s*\n/, "")
    .trimEnd()
    .split("\n");
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/));
  const indent = Math.min(...indents, 100);
  return lines.map((line) => line.slice(indent)).join("\n");
}

if (!customElements.get("autograd-playground")) {
  customElements.define("autograd-playground", AutogradPlayground);
}
