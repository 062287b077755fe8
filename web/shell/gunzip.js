/** Unpacks gzip; what is large in a worker of its own, so that the page goes on meanwhile. */

/** Compressed bytes from which a worker is worth its start. */
const LARGE = 1_000_000;

/** Runs in the worker: nothing from around it may be named here. */
function unpacker() {
  const { readable, writable } = new DecompressionStream("gzip");
  const writer = writable.getWriter();
  self.onmessage = ({ data }) => {
    (data ? writer.write(data) : writer.close()).catch(() => {});
  };
  new Response(readable).arrayBuffer().then(
    (whole) => self.postMessage(whole, { transfer: [whole] }),
    () => self.postMessage(null),
  );
}

/**
 * @param {AsyncIterable<Uint8Array<ArrayBuffer>>} parts what comes, gzip or already unpacked by the server
 * @param {number} bytes how much that will be
 * @returns {Promise<ArrayBuffer>}
 */
export async function gunzip(parts, bytes) {
  const all = parts[Symbol.asyncIterator]();
  const first = (await all.next()).value;
  if (first?.[0] !== 0x1f || first[1] !== 0x8b) return joined(first, all);
  if (bytes < LARGE) {
    const packed = new Blob([await joined(first, all)]).stream();
    return new Response(packed.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
  }
  const source = new Blob([`(${unpacker})()`], { type: "text/javascript" });
  const url = URL.createObjectURL(source);
  const worker = new Worker(url);
  URL.revokeObjectURL(url);
  try {
    const whole = new Promise((resolve, reject) => {
      const fail = () => reject(new Error("damaged"));
      worker.onmessage = ({ data }) => (data ? resolve(data) : fail());
      worker.onerror = fail;
    });
    whole.catch(() => {});
    for (let part = first; part; part = (await all.next()).value) {
      worker.postMessage(part, [part.buffer]);
    }
    worker.postMessage(null);
    return await whole;
  } finally {
    worker.terminate();
  }
}

/** @param {Uint8Array<ArrayBuffer> | undefined} first @param {AsyncIterator<Uint8Array<ArrayBuffer>>} others */
async function joined(first, others) {
  const parts = [];
  for (let part = first; part; part = (await others.next()).value) parts.push(part);
  return new Blob(parts).arrayBuffer();
}
