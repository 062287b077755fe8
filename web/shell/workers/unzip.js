/** Reads stored (uncompressed) zip archives; nothing is copied. */

const END = 0x06054b50;
const UTF8 = new TextDecoder();

/**
 * @param {ArrayBuffer} buffer
 * @returns {Generator<[string, Uint8Array]>} path and bytes of every file
 */
export function* storedFiles(buffer) {
  const view = new DataView(buffer);
  let end = buffer.byteLength - 22;
  while (end > 0 && view.getUint32(end, true) !== END) end--;
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  for (let i = 0; i < count; i++) {
    if (view.getUint16(at + 10, true) !== 0) throw new Error("only stored archives can be read");
    const size = view.getUint32(at + 20, true);
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const path = UTF8.decode(new Uint8Array(buffer, at + 46, nameLength));
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (!path.endsWith("/")) yield [path, new Uint8Array(buffer, start, size)];
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

/**
 * Writes an archive's files below a folder of Pyodide's file system.
 * @param {ArrayBuffer} buffer @param {any} FS @param {string} root
 */
export function unpack(buffer, FS, root) {
  /** @type {Set<string>} */
  const made = new Set();
  for (const [path, bytes] of storedFiles(buffer)) {
    const file = `${root}/${path}`;
    const folder = file.slice(0, file.lastIndexOf("/"));
    if (!made.has(folder)) FS.mkdirTree(folder);
    made.add(folder);
    FS.writeFile(file, bytes, { canOwn: true });
  }
}
