/** What the verbs of the page contract take; anything else is refused in words before it does anything. */

/** @typedef {"string" | "boolean" | "integer" | string[]} Kind one of a list, or of a type */

const WORDS = { string: "a string", boolean: "true or false", integer: "a whole number" };

/** @type {Record<string, [string, Kind, "optional"?][]>} */
const TAKEN = {
  setCode: [["text", "string"]],
  goto: [["step", "integer"]],
  step: [["count", "integer", "optional"]],
  setRequiresGrad: [
    ["name", "string"],
    ["on", "boolean"],
  ],
  setNoGrad: [
    ["first", "integer"],
    ["last", "integer"],
    ["on", "boolean"],
  ],
  setLanguage: [["language", ["en", "zh"]]],
  setTheme: [["theme", ["light", "dark", "auto"]]],
};

/** Throws a TypeError that says what was wanted. @param {string} verb @param {any[]} args */
export function checkArguments(verb, args) {
  for (const [i, [name, kind, optional]] of (TAKEN[verb] ?? []).entries()) {
    if (optional && args[i] === undefined) continue;
    if (!fits(args[i], kind)) {
      const wanted = typeof kind === "string" ? WORDS[kind] : `one of ${kind.join(", ")}`;
      throw new TypeError(`${verb}: ${name} has to be ${wanted}, not ${shown(args[i])}`);
    }
  }
}

/** Lines of a program, from the first to the last. @param {number} first @param {number} last @param {number} count */
export function checkLines(first, last, count) {
  if (first < 1 || last < first || last > count) {
    throw new RangeError(
      `setNoGrad: first and last have to be lines from 1 to ${count}, in order, not ${first} and ${last}`,
    );
  }
}

/** @param {any} value @param {Kind} kind */
function fits(value, kind) {
  if (typeof kind !== "string") return kind.includes(value);
  return kind === "integer" ? Number.isSafeInteger(value) : typeof value === kind;
}

/** @param {any} value */
function shown(value) {
  if (typeof value === "string") return JSON.stringify(value.slice(0, 40));
  if (value === null || ["number", "boolean", "undefined"].includes(typeof value))
    return `${value}`;
  return Array.isArray(value) ? "a list" : `a ${typeof value}`;
}
