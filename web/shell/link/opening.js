/** What an address says about how the page opens: a link's contents, an embedding's options. */
import { isLink, pack, unpack } from "./codec.js";

export const PANELS = ["program", "graph", "ledger", "leaves", "console", "inspector"];
const EMBEDDED = ["program", "graph", "ledger"];

/**
 * @typedef {{
 *   program: string | null, step: number | null, seed: number,
 *   language: "en" | "zh" | null, theme: "light" | "dark" | "auto" | null,
 *   panels: string[] | null, readonly: boolean, embedded: boolean,
 *   id: string, title: string, origins: string[], waits: "click" | "visible" | "",
 * }} Opening `id` tells embeddings of one page apart, `origins` are those that may drive this page
 */

/** Nothing asked for. @type {Opening} */
export const PLAIN = Object.freeze({
  program: null,
  step: null,
  seed: 0,
  language: null,
  theme: null,
  panels: null,
  readonly: false,
  embedded: false,
  id: "",
  title: "",
  origins: [],
  waits: "",
});

/**
 * Options may stand in the query or, with the program, in the fragment; a link's own come first.
 * @param {{search: string, hash: string}} address
 * @returns {Promise<Opening>}
 * @throws {import("./codec.js").LinkError}
 */
export async function readAddress({ search, hash }) {
  const options = new URLSearchParams(search);
  const fragment = hash.replace(/^#/, "");
  let program = null;
  if (isLink(fragment)) {
    const link = await unpack(fragment);
    for (const [key, value] of link.options) options.set(key, value);
    program = link.program;
  } else if (/^\w+=/.test(fragment)) {
    for (const [key, value] of new URLSearchParams(fragment)) options.set(key, value);
  }
  return { ...fromOptions(options), ...(program === null ? {} : { program }) };
}

/** @param {URLSearchParams} options @returns {Opening} */
export function fromOptions(options) {
  const flag = (/** @type {string} */ name) =>
    options.has(name) && !["false", "0", "no"].includes(options.get(name) ?? "");
  const embedded = flag("embed");
  const panels = words(options.get("panels")).filter((name) => PANELS.includes(name));
  return {
    program: options.get("program")?.replaceAll("\r\n", "\n") ?? null,
    step: whole(options.get("step")),
    seed: whole(options.get("seed")) ?? 0,
    language: /** @type {any} */ (oneOf(options.get("lang"), ["en", "zh"])),
    theme: /** @type {any} */ (oneOf(options.get("theme"), ["light", "dark", "auto"])),
    panels: panels.length ? panels : embedded ? EMBEDDED : null,
    readonly: flag("readonly"),
    embedded,
    id: options.get("id") ?? "",
    title: options.get("title") ?? "",
    origins: words(options.get("origins")),
    waits: /** @type {any} */ (oneOf(options.get("load"), ["click", "visible"]) ?? ""),
  };
}

/**
 * The fragment that opens like this; what is as always takes no room.
 * @param {Partial<Opening> & {program: string}} opening
 */
export function toFragment({ program, step, seed, language, theme, panels }) {
  const options = new URLSearchParams();
  if (step !== null && step !== undefined) options.set("step", String(step));
  if (seed) options.set("seed", String(seed));
  if (language) options.set("lang", language);
  if (theme && theme !== "auto") options.set("theme", theme);
  if (panels) options.set("panels", panels.join());
  return pack(options, program);
}

/** Whether somebody else's program is in it, which gets a frame with an origin of its own. @param {Opening} opening */
export const isForeign = ({ program, embedded }) => program !== null || embedded;

/** @param {string | null} text */
const words = (text) => (text ?? "").split(/[\s,]+/).filter(Boolean);

/** @param {string | null} text */
const whole = (text) => (text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null);

/** @param {string | null} text @param {string[]} known */
const oneOf = (text, known) => (text !== null && known.includes(text) ? text : null);
