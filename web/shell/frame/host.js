/**
 * The thin page around a linked or embedded program: it makes the frame in which the playground runs,
 * fetches for it, keeps its work, and passes on the page contract. No word of a program runs here.
 */

import { checked, expose, serveParent } from "../contract.js";
import { poster } from "../embed/poster.js";
import { placeOf, slotOf } from "../kept/places.js";
import { PLAIN, readAddress } from "../link/opening.js";
import { keep, recall, rememberedLanguage, rememberedTheme } from "../preferences.js";
import { home } from "../site.js";
import { speak, t } from "../words.js";

const SANDBOX =
  "allow-scripts allow-downloads allow-modals allow-popups allow-popups-to-escape-sandbox";
/** What the frame may have kept, besides its work, and how much of it. */
const PREFERENCES = ["language", "theme", "panel"];
const LONGEST = 2_000_000;

/**
 * @param {import("../assets.js").Manifest} manifest
 * @param {import("../assets.js").Source} source
 * @param {string} shell the address of the page's own script; none where the page is one file
 */
export function openHost(manifest, source, shell) {
  const page = pageText();
  const remote = new Remote();
  expose(checked(remote.verbs), remote, remote.ready);
  let problem = "";
  const opening = readAddress(location).catch((error) => {
    problem = error.reason;
    return PLAIN;
  });
  if (window.parent !== window) {
    const origins = opening.then((known) => known.origins);
    serveParent(remote.call, remote, origins);
  }
  opening
    .then((known) => start({ manifest, source }, shell, page, remote, { opening: known, problem }))
    .catch((error) => console.error(error));
}

/** The page as the server sent it. */
const pageText = () => /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));

/** @typedef {{manifest: import("../assets.js").Manifest, source: import("../assets.js").Source}} Release */

/**
 * @param {Release} release
 * @param {string} shell
 * @param {HTMLElement} page
 * @param {Remote} remote
 * @param {{opening: import("../link/opening.js").Opening, problem: string}} known
 */
async function start(release, shell, page, remote, known) {
  const { opening } = known;
  remote.mirror.code = opening.program ?? "";
  speak(opening.language ?? rememberedLanguage());
  document.title = opening.title || t("app.name");
  if (opening.theme && opening.theme !== "auto") {
    document.documentElement.dataset.theme = opening.theme;
  }
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", SANDBOX);
  frame.allow = "clipboard-write";
  frame.title = document.title;
  frame.id = "guest";
  const srcdoc = guestPage(shell, page);
  if (opening.waits) await poster(document.body, opening);
  frame.srcdoc = await srcdoc;
  const slot = slotOf(placeOf(opening, location.pathname));
  listen(frame, release, remote, slot, known);
  document.body.replaceChildren(frame);
  if (window.parent === window) frame.onload = () => frame.focus();
  if (opening.waits === "click") remote.call("run", []);
}

/**
 * The same page with its style and script inside, so that the frame asks nobody for anything.
 * @param {string} shell
 * @param {HTMLElement} page
 */
async function guestPage(shell, page) {
  if (shell) await bringInside(shell, page);
  for (const element of page.querySelectorAll("link, script[data-asset]")) element.remove();
  const policy = page.querySelector("meta[http-equiv]");
  policy?.insertAdjacentHTML(
    "afterend",
    `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`,
  );
  page.setAttribute("data-guest", "");
  return `<!doctype html>${page.outerHTML}`;
}

/** @param {string} shell @param {HTMLElement} page */
async function bringInside(shell, page) {
  const sheet = /** @type {HTMLLinkElement} */ (page.querySelector("link[rel=stylesheet]"));
  const [style, script] = await Promise.all(
    [new URL(sheet.getAttribute("href") ?? "", document.baseURI).href, shell].map(textOf),
  );
  const css = document.createElement("style");
  css.textContent = style;
  sheet.replaceWith(css);
  page.querySelector("script[src]")?.remove();
  const own = document.createElement("script");
  own.textContent = script;
  page.querySelector("body")?.append(own);
}

/** @param {string} address */
async function textOf(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.text();
}

/**
 * @param {HTMLIFrameElement} frame
 * @param {Release} release
 * @param {Remote} remote
 * @param {import("../kept/work.js").Slot} slot
 * @param {{opening: import("../link/opening.js").Opening, problem: string}} known
 */
function listen(frame, release, remote, slot, known) {
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || !data?.playgroundGuest) return;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: message }) => {
      if (typeof message.fetch === "string") send(release, message.fetch, port1);
      else if (typeof message.keep === "string") keepFor(message, slot);
      else remote.take(message);
    };
    const memory = {
      language: rememberedLanguage(),
      theme: rememberedTheme(),
      ...present("panel", recall("panel")),
      ...present("work", slot.read()),
    };
    const keeps = keep("works", recall("works") ?? "");
    const welcome = { ...known, memory, keeps, home: home() };
    frame.contentWindow?.postMessage({ playgroundHost: welcome }, "*", [port2]);
    remote.connect(port1);
  });
}

/** @param {string} key @param {string | null} value */
const present = (key, value) => (value === null ? {} : { [key]: value });

/** @param {{keep: string, value: unknown}} message @param {import("../kept/work.js").Slot} slot */
function keepFor({ keep: key, value }, slot) {
  if (value !== null && (typeof value !== "string" || value.length > LONGEST)) return;
  if (key === "work") slot.write(value);
  else if (PREFERENCES.includes(key) && value !== null) keep(key, value);
}

/**
 * @param {Release} release
 * @param {string} name
 * @param {MessagePort} port
 */
async function send({ manifest, source }, name, port) {
  const { assets, onefile } = manifest;
  const whole = { ...onefile, name: onefile?.url };
  try {
    const asset = [...assets, whole].find((each) => each.name === name);
    const response = asset && (await source.fetch(/** @type {any} */ (asset)));
    if (!response?.ok || !response.body) throw new Error(name);
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      port.postMessage({ asset: name, bytes: value }, [value.buffer]);
    }
    port.postMessage({ asset: name });
  } catch {
    port.postMessage({ asset: name, failed: true });
  }
}

/** The playground in the frame, from here: the verbs of the page contract by message. */
class Remote extends EventTarget {
  /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
  #waiting = new Map();
  #next = 1;
  /** What the frame said last; `state()` and `getCode()` answer at once. @type {Record<string, any>} */
  mirror = { code: "", step: 0, steps: 0, node: null, leaves: [], stdout: "", error: null };

  constructor() {
    super();
    /** @type {Promise<MessagePort>} */
    this.port = new Promise((resolve) => {
      this.connect = resolve;
    });
    this.ready = this.call("ready", []).then(() => undefined);
    const verbs = ["run", "goto", "step", "play", "pause", "reset", "setRequiresGrad", "setNoGrad"];
    /** @type {Record<string, (...args: any[]) => any>} */
    this.verbs = {
      setCode: (text) => {
        this.mirror.code = text;
        this.call("setCode", [text]);
      },
      getCode: () => this.mirror.code,
      state: () => ({ ...this.mirror }),
    };
    for (const verb of [...verbs, "setLanguage", "setTheme", "link"]) {
      this.verbs[verb] = (...args) => this.call(verb, args);
    }
  }

  /** @param {string} verb @param {any[]} args @returns {Promise<any>} */
  call = async (verb, args) => {
    const port = await this.port;
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      port.postMessage({ playground: verb, args, id });
    });
  };

  /** @param {any} message */
  take(message) {
    if (message.mirror) this.mirror = message.mirror;
    else if (message.event) {
      this.dispatchEvent(new CustomEvent(message.playground, { detail: message.detail }));
    } else {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (message.error === undefined) waiting?.resolve(message.result);
      else waiting?.reject(new Error(message.error));
    }
  }
}
