/** Where on this device the work of a page is kept: by the page's path and the embedding's name. */
import { forget, keep, recall } from "../preferences.js";
import { fingerprint } from "./work.js";

/** Links and embeddings are many; the longest untouched go first. */
const MOST = 40;

/** @param {import("../link/opening.js").Opening} opening @param {string} path */
export function placeOf({ program, embedded, id }, path) {
  if (embedded && id) return `${path} ${id}`;
  return program === null ? path : `${path} ${fingerprint(program)}`;
}

/** @param {string} place @returns {import("./work.js").Slot} */
export function slotOf(place) {
  const key = `work.${place}`;
  return {
    read: () => recall(key),
    write: (text) => {
      if (text === null) {
        forget(key);
        return false;
      }
      const kept = keep(key, text);
      if (kept) remember(key);
      return kept;
    },
  };
}

/** @param {string} key */
function remember(key) {
  const known = (recall("works") ?? "").split("\n").filter((other) => other && other !== key);
  for (const old of known.splice(MOST - 1)) forget(old);
  keep("works", [key, ...known].join("\n"));
}
