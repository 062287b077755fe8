/** The page contract: `window.playground`, and the same verbs by postMessage for a page that frames this one. */

import { checkArguments, checkLines } from "./arguments.js";

/** @typedef {import("./playground.js").Playground} Playground */

const EVENTS = ["ready", "run", "step", "error", "size"];
/** Verbs that answer at once. */
const AT_ONCE = ["setCode", "getCode", "state"];

/**
 * @param {Playground} playground
 * @param {() => Promise<string>} link
 * @param {{port?: MessagePort, origins: string[]}} around a frame's host, and who else may ask
 */
export function openContract(playground, link, { port, origins }) {
  const { transport } = playground;
  const verbs = {
    setCode: (/** @type {string} */ text) => {
      playground.editor.text = text;
    },
    getCode: () => playground.editor.text,
    run: () => playground.run(),
    goto: async (/** @type {number} */ step) => {
      transport.pause();
      await playground.goto(step);
      return playground.state();
    },
    step: async (/** @type {number} */ count = 1) => {
      await playground.idle();
      await transport.by(count);
      return playground.state();
    },
    play: async () => {
      await playground.idle();
      transport.play();
    },
    pause: async () => transport.pause(),
    reset: async () => {
      transport.pause();
      await playground.goto(0);
      return playground.state();
    },
    setRequiresGrad: async (/** @type {string} */ name, /** @type {boolean} */ on) => {
      await asked(playground, { intent: "requires_grad", name, on });
      return playground.state();
    },
    setNoGrad: async (
      /** @type {number} */ first,
      /** @type {number} */ last,
      /** @type {boolean} */ on,
    ) => {
      checkLines(first, last, playground.editor.lines);
      await asked(playground, { intent: "no_grad", first, last, on });
      return playground.state();
    },
    setLanguage: (/** @type {"en" | "zh"} */ language) => playground.setLanguage(language),
    setTheme: (/** @type {import("./preferences.js").Theme} */ theme) => playground.setTheme(theme),
    state: () => playground.state(),
    link: () => link(),
  };
  expose(checked(verbs), playground, playground.ready);
  const call = async (/** @type {string} */ verb, /** @type {any[]} */ args) => {
    await playground.ready;
    if (verb === "ready") return playground.state();
    if (!Object.hasOwn(verbs, verb)) throw new Error(`no verb ${verb}`);
    if (!Array.isArray(args)) throw new TypeError("args has to be a list");
    checkArguments(verb, args);
    return /** @type {any} */ (verbs)[verb](...args);
  };
  if (port) servePort(port, call, playground);
  else if (window.parent !== window) serveParent(call, playground, origins);
}

/** Does what an intent asks for, or says why not. @param {Playground} playground @param {object} intent */
async function asked(playground, intent) {
  const problem = await playground.intend(intent);
  if (problem) throw new Error(problem);
}

/**
 * The verbs with their arguments looked at first. Those that answer at once throw, the others reject.
 * @param {Record<string, (...args: any[]) => any>} verbs
 */
export function checked(verbs) {
  const look = (/** @type {string} */ verb) => {
    const does = (/** @type {any[]} */ ...args) => {
      checkArguments(verb, args);
      return verbs[verb](...args);
    };
    return [
      verb,
      AT_ONCE.includes(verb) ? does : async (/** @type {any[]} */ ...args) => does(...args),
    ];
  };
  return Object.fromEntries(Object.keys(verbs).map(look));
}

/**
 * @param {Record<string, (...args: any[]) => any>} verbs
 * @param {EventTarget} target
 * @param {Promise<any>} ready
 */
export function expose(verbs, target, ready) {
  const contract = {
    ...verbs,
    ready: ready.then(() => undefined),
    /** @param {string} event @param {(detail: any) => void} told @returns {() => void} ends it */
    on(event, told) {
      if (!EVENTS.includes(event)) throw new TypeError(`no event ${event}: ${EVENTS.join(", ")}`);
      if (typeof told !== "function") throw new TypeError("on: listener has to be a function");
      const listener = (/** @type {Event} */ happened) =>
        told(/** @type {CustomEvent} */ (happened).detail);
      target.addEventListener(event, listener);
      return () => target.removeEventListener(event, listener);
    },
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  };
  Object.defineProperty(window, "playground", { value: Object.freeze(contract) });
}

/**
 * `{playground: verb, args, id}` from the page around is answered by `{playground: verb, id, result}` or
 * `{…, error}`; events are told as `{playground: event, event: true, detail}`. Where origins are named,
 * nobody else is answered or told anything.
 * @param {(verb: string, args: any[]) => Promise<any>} call
 * @param {EventTarget} target
 * @param {string[] | Promise<string[]>} origins what is asked before they are known waits
 */
export function serveParent(call, target, origins) {
  let told = "";
  const known = Promise.resolve(origins).then((list) => {
    if (list.length < 2) told = list[0] ?? "*";
    return list;
  });
  const tell = async (/** @type {object} */ message) => {
    await known;
    // A frame without an origin cannot be named as one to write to.
    if (told) window.parent.postMessage(message, told === "null" ? "*" : told);
  };
  window.addEventListener("message", async ({ source, origin, data }) => {
    if (source !== window.parent || typeof data?.playground !== "string") return;
    const list = await known;
    if (list.length && !list.includes(origin)) return;
    if (list.length) told = origin;
    tell(await answer(call, data));
  });
  forEvents(target, tell);
}

/**
 * The same for the host of a frame; it also learns every state, to answer for the frame at once.
 * @param {MessagePort} port
 * @param {(verb: string, args: any[]) => Promise<any>} call
 * @param {Playground} playground
 */
function servePort(port, call, playground) {
  const mirror = () => port.postMessage({ mirror: playground.state() });
  port.addEventListener("message", async ({ data }) => {
    if (typeof data?.playground !== "string") return;
    const reply = await answer(call, data);
    mirror();
    port.postMessage(reply);
  });
  for (const event of ["change", ...EVENTS]) playground.addEventListener(event, mirror);
  forEvents(playground, (message) => port.postMessage(message));
  mirror();
}

/**
 * @param {(verb: string, args: any[]) => Promise<any>} call
 * @param {{playground: string, args?: any[], id?: any}} question
 */
async function answer(call, { playground: verb, args = [], id }) {
  try {
    return { playground: verb, id, result: await call(verb, args) };
  } catch (error) {
    return { playground: verb, id, error: String(error) };
  }
}

/** @param {EventTarget} target @param {(message: object) => void} tell */
function forEvents(target, tell) {
  for (const event of EVENTS) {
    target.addEventListener(event, (happened) => {
      const { detail } = /** @type {CustomEvent} */ (happened);
      tell({ playground: event, event: true, detail });
    });
  }
}
