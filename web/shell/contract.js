/** The page contract: `window.playground`, and the same verbs by postMessage for a page that frames this one. */

/** @typedef {import("./playground.js").Playground} Playground */

const EVENTS = ["ready", "run", "step", "error"];

/** @template T @param {T[]} known @param {T} value */
function oneOf(known, value) {
  if (!known.includes(value)) throw new TypeError(`${value} is not one of ${known.join(", ")}`);
  return value;
}

/** @param {Playground} playground */
export function openContract(playground) {
  const { transport } = playground;
  const verbs = {
    setCode: (/** @type {string} */ text) => {
      playground.editor.text = String(text);
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
      await playground.intend({ intent: "requires_grad", name, on });
      return playground.state();
    },
    setNoGrad: async (
      /** @type {number} */ first,
      /** @type {number} */ last,
      /** @type {boolean} */ on,
    ) => {
      await playground.intend({ intent: "no_grad", first, last, on });
      return playground.state();
    },
    setLanguage: (/** @type {"en" | "zh"} */ language) =>
      playground.setLanguage(oneOf(["en", "zh"], language)),
    setTheme: (/** @type {import("./preferences.js").Theme} */ theme) =>
      playground.setTheme(oneOf(["light", "dark", "auto"], theme)),
    state: () => playground.state(),
  };
  const contract = {
    ...verbs,
    ready: playground.ready.then(() => undefined),
    /** @param {string} event @param {(detail: any) => void} told @returns {() => void} ends it */
    on(event, told) {
      const listener = (/** @type {Event} */ happened) =>
        told(/** @type {CustomEvent} */ (happened).detail);
      playground.addEventListener(event, listener);
      return () => playground.removeEventListener(event, listener);
    },
    addEventListener: playground.addEventListener.bind(playground),
    removeEventListener: playground.removeEventListener.bind(playground),
  };
  Object.defineProperty(window, "playground", { value: Object.freeze(contract) });
  if (window.parent !== window) serveParent(playground, verbs);
}

/**
 * `{playground: verb, args, id}` from the page around is answered by `{playground: verb, id, result}` or
 * `{…, error}`; events are told as `{playground: event, event: true, detail}`.
 * @param {Playground} playground
 * @param {Record<string, (...args: any[]) => any>} verbs
 */
function serveParent(playground, verbs) {
  window.addEventListener("message", async ({ source, data }) => {
    if (source !== window.parent || typeof data?.playground !== "string") return;
    const { playground: verb, args = [], id } = data;
    const reply = /** @type {Record<string, any>} */ ({ playground: verb, id });
    try {
      if (verb !== "ready" && !Object.hasOwn(verbs, verb)) throw new Error(`no verb ${verb}`);
      await playground.ready;
      reply.result = verb === "ready" ? playground.state() : await verbs[verb](...args);
    } catch (error) {
      reply.error = String(error);
    }
    window.parent.postMessage(reply, "*");
  });
  for (const event of EVENTS) {
    playground.addEventListener(event, (happened) => {
      const { detail } = /** @type {CustomEvent} */ (happened);
      window.parent.postMessage({ playground: event, event: true, detail }, "*");
    });
  }
}
