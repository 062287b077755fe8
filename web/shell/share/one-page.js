/** The whole playground as one file with the program inside: the release's own file, with one slot filled. */
import { theme } from "../preferences.js";
import { language } from "../words.js";

const SLOT = /(<script type="application\/json" id="opened">)[^<]*(<\/script>)/;
const NAME = "playground.html";

/**
 * @param {import("../playground.js").Playground} playground
 * @param {string} home
 * @param {(done: number) => void} told how far it is, 0 to 1
 * @returns {Promise<boolean>} whether it was saved
 */
export async function saveOnePage(playground, home, told) {
  const { onefile } = playground.manifest;
  if (!onefile) return false;
  const asset = { ...onefile, name: NAME, url: new URL(onefile.url, home).href };
  const response = await playground.assets.source.fetch(/** @type {any} */ (asset));
  if (!response.ok || !response.body) return false;
  const page = await textOf(response.body, onefile.bytes, told);
  if (!SLOT.test(page)) return false;
  const opened = {
    program: playground.editor.text,
    step: playground.shownStep,
    seed: playground.seed,
    language: language(),
    theme: theme(),
    runs: true,
  };
  const data = JSON.stringify(opened).replaceAll("<", "\\u003c");
  const filled = page.replace(SLOT, (_, before, after) => before + data + after);
  save(new Blob([filled], { type: "text/html" }));
  return true;
}

/** @param {ReadableStream<Uint8Array>} body @param {number} bytes @param {(done: number) => void} told */
async function textOf(body, bytes, told) {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  const parts = [];
  let loaded = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    loaded += value.length;
    told(Math.min(1, loaded / bytes));
    parts.push(decoder.decode(value, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}

/** @param {Blob} blob */
function save(blob) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = NAME;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
