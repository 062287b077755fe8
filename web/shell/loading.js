/** The progress of the start: bytes over all assets, the stage that is coming, and then the panels. */
import { app, by } from "./dom.js";
import { t } from "./words.js";

const STAGES = /** @type {const} */ (["page", "python", "numpy", "interface"]);
const WORD = {
  page: "load.page",
  python: "load.python",
  numpy: "load.numpy",
  interface: "load.ui",
  start: "load.start",
};

/** @type {import("./assets.js").Progress | null} */
let last = null;
let asked = false;
let turns = 0;
const turning = setInterval(turn, 150);

/** @param {number} bytes */
const mega = (bytes) => (bytes / 1e6).toFixed(1);

/** @param {import("./assets.js").Progress} progress */
export function showProgress(progress) {
  last = progress;
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    if (last) draw(last);
  });
}

/**
 * Turns the rings an eighth at a time: an animation would have the browser draw sixty frames a second,
 * with a processor that two Pythons are waiting for.
 */
function turn() {
  turns += 1 / 8;
  for (const ring of document.querySelectorAll("#stages .mark, .spin")) {
    /** @type {HTMLElement} */ (ring).style.setProperty("--turn", `${turns}turn`);
  }
}

/** Once more, in another language. */
export const retell = () => last && draw(last);

/** @param {import("./assets.js").Progress} progress */
function draw(progress) {
  let loaded = 0;
  let total = 0;
  /** @type {keyof typeof WORD} */
  let now = "start";
  for (const stage of [...STAGES].reverse()) {
    const { loaded: have, total: all } = progress[stage];
    loaded += have;
    total += all;
    if (have < all) now = stage;
  }
  for (const item of document.querySelectorAll("#stages > li")) {
    const name = /** @type {keyof typeof WORD} */ (/** @type {HTMLElement} */ (item).dataset.stage);
    const own = name === "start" ? null : progress[name];
    const done = own !== null && own.loaded >= own.total;
    item.setAttribute("data-stage-state", done ? "done" : name === now ? "now" : "wait");
    const amount = item.querySelector(".amount");
    if (own && amount)
      amount.textContent = t("load.bytes", { a: mega(own.loaded), b: mega(own.total) });
  }
  by("stage-now").textContent = t(WORD[now]);
  by("stage-now").dataset.t = WORD[now];
  by("bytes").textContent = t("load.bytes", { a: mega(loaded), b: mega(total) });
  /** @type {HTMLProgressElement} */ (by("progress")).value = total ? loaded / total : 0;
}

/** @param {string} reason a traceback goes to the console; its last line says what it is about */
export function showFailure(reason) {
  console.error(reason);
  const place = by("failure");
  place.textContent = t("load.failed", { reason: reason.trim().split("\n").at(-1) ?? "" });
  place.hidden = false;
}

export const isLoading = () => app().dataset.phase === "loading";

/** The panels take the progress's place. */
export function finishLoading() {
  if (!isLoading()) return;
  clearInterval(turning);
  app().dataset.phase = "ready";
  by("first-frame").remove();
  by("first-frame-note").remove();
}
