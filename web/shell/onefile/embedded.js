/** The page as one file: every asset is inside as text, and nobody is asked for anything. */

const NAME = "playground.html";
const TYPES = { wasm: "application/wasm" };

/** @type {HTMLElement} the page itself may have made room for a frame since */
let asSaved = document.documentElement;

/** Whether this page is one file. */
export const isOneFile = () => document.querySelector("script[data-asset]") !== null;

/** Keeps the page as it was opened, so that it can be saved again with another program inside. */
export function keepAsOpened() {
  asSaved = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
}

/** @type {import("../assets.js").Source} */
export const EMBEDDED = { fetch: respond, inline: true };

/** Makes an address for one file inside. @param {string} name */
export async function addressOf(name) {
  const response = await respond({ name });
  return URL.createObjectURL(await response.blob());
}

/** @param {{name: string, kind?: string, encoding?: string}} asset @returns {Promise<Response>} */
async function respond({ name, kind }) {
  if (name === NAME) return new Response(`<!doctype html>\n${asSaved.outerHTML}`);
  const element = asSaved.querySelector(`script[data-asset="${name}"]`);
  if (!element) return Response.error();
  const bytes = decoded(element.textContent ?? "");
  const headers = { "Content-Type": TYPES[/** @type {"wasm"} */ (kind)] ?? "text/plain" };
  if (!element.hasAttribute("data-gzip")) return new Response(bytes, { headers });
  const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(plain, { headers });
}

/** @param {string} text base64 @returns {Uint8Array<ArrayBuffer>} */
function decoded(text) {
  const native = /** @type {any} */ (Uint8Array).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
