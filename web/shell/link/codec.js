/**
 * The program and how it is shown, as the fragment of an address, which no browser sends to a server:
 * `1:` and, deflated and in base64url, one line of options as in a query, then the program.
 * The digit is the version of the format; what old versions wrote stays readable for ever.
 */

/** A link is made by anybody: nobody's few characters may unfold to more than this. */
export const LONGEST = 1_000_000;

export class LinkError extends Error {
  /** @param {"damaged" | "newer"} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** @type {Record<string, (data: string) => Promise<{options: URLSearchParams, program: string}>>} */
const READERS = { 1: readFirst };

/** Whether a fragment (without #) is a link of some version. @param {string} fragment */
export const isLink = (fragment) => /^\d+:/.test(fragment);

/** @param {URLSearchParams} options @param {string} program */
export async function pack(options, program) {
  const bytes = new TextEncoder().encode(`${options}\n${program}`);
  const packed = await through(bytes, new CompressionStream("deflate-raw"), Infinity);
  return `1:${toText(packed)}`;
}

/** @param {string} fragment @throws {LinkError} */
export async function unpack(fragment) {
  const [version, data = ""] = fragment.split(":", 2);
  const reader = READERS[version];
  if (!reader) throw new LinkError("newer");
  try {
    return await reader(data);
  } catch {
    throw new LinkError("damaged");
  }
}

/** @param {string} data */
async function readFirst(data) {
  const bytes = await through(toBytes(data), new DecompressionStream("deflate-raw"), LONGEST);
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  const end = text.indexOf("\n");
  if (end < 0) throw new Error("no options");
  return { options: new URLSearchParams(text.slice(0, end)), program: text.slice(end + 1) };
}

/**
 * @param {Uint8Array} bytes
 * @param {CompressionStream | DecompressionStream} stream
 * @param {number} longest
 * @returns {Promise<Uint8Array>}
 */
async function through(bytes, stream, longest) {
  const source = new Blob([/** @type {BlobPart} */ (bytes)]).stream();
  const reader = source.pipeThrough(/** @type {any} */ (stream)).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > longest) {
      await reader.cancel();
      throw new Error("too long");
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** @param {Uint8Array} bytes */
function toText(bytes) {
  let binary = "";
  for (let at = 0; at < bytes.length; at += 0x8000)
    binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** @param {string} text */
function toBytes(text) {
  // Mail programs break long addresses, chat programs escape them.
  const plain = decodeURIComponent(text).replace(/\s/g, "");
  const binary = atob(plain.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
