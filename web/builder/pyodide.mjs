// Runs one Python script in Pyodide under Node.js: node pyodide.mjs JOB.json
// JOB: {pyodide: folder of the npm package, stdlib?: zip to start from, mounts: {path inside: folder outside},
//       archives?: stored zips to unpack into site-packages, path: folders for sys.path, script: file,
//       input: anything, output?: file the script's `result` goes to as JSON,
//       snapshot?: folder that gets the interpreter's memory as it is after the script}
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { unpack } from "../shell/workers/unzip.js";

const SITE = "/lib/python3.12/site-packages";

const job = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const { loadPyodide } = await import(pathToFileURL(`${job.pyodide}/pyodide.mjs`));
// Panel's browser parts look this up on import; nothing here ever sends a request.
globalThis.XMLHttpRequest ??= class XMLHttpRequest {};

const python = await loadPyodide({
  ...(job.stdlib ? { stdLibURL: job.stdlib } : {}),
  ...(job.snapshot ? { _makeSnapshot: true } : {}),
  env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
});
for (const [inside, outside] of Object.entries(job.mounts ?? {})) python.mountNodeFS(inside, outside);
for (const archive of job.archives ?? []) {
  const bytes = fs.readFileSync(archive);
  unpack(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), python.FS, SITE);
}
try {
  python.globals.set("given", JSON.stringify({ path: job.path ?? [], input: job.input ?? null }));
  python.runPython(`
import json, sys
given = json.loads(given)
sys.path[:0] = given["path"]
given = given["input"]
result = None
`);
  python.runPython(fs.readFileSync(job.script, "utf8"), { filename: job.script });
  if (job.output) fs.writeFileSync(job.output, python.runPython("json.dumps(result)"));
  if (job.snapshot) takeSnapshot(job.snapshot);
} catch (error) {
  // The runtime's own stack is thousands of characters of wasm frames; the Python traceback is what helps.
  console.error(String(error.message ?? error));
  process.exitCode = 1;
}
process.exit();

/**
 * Writes the memory, every loaded side module, and where in memory and table each of them lies: the
 * runtime's own snapshots know nothing of side modules. web/shell/workers/snapshot.js reads this.
 * @param {string} folder
 */
function takeSnapshot(folder) {
  const { LDSO, FS, HEAPU32 } = python._module;
  python.globals.clear();
  // Everything in a snapshot stays: whoever wakes it need not have the collector look through it.
  python.runPython("import gc, sys; sys.path_importer_cache.clear(); gc.collect(); gc.freeze()");
  const libraries = Object.entries(LDSO.loadedLibsByHandle)
    .filter(([handle]) => Number(handle))
    .map(([handle, { name, global }]) => ({
      handle: Number(handle),
      name,
      global,
      file: `${name.slice(name.indexOf("/numpy/") + 1).replaceAll("/", ".").split(".cpython")[0]}.wasm`,
      // The runtime keeps a side module's place in its handle; in the order of the table they were loaded.
      table: HEAPU32[(Number(handle) + 20) >> 2],
    }))
    .sort((one, other) => one.table - other.table);
  for (const { file, name } of libraries) fs.writeFileSync(`${folder}/${file}`, FS.readFile(name));
  const serializer = (object) => {
    throw new Error(`Python holds an object of JavaScript, which no snapshot can: ${object}`);
  };
  fs.writeFileSync(`${folder}/memory.bin`, python.makeMemorySnapshot({ serializer }));
  fs.writeFileSync(`${folder}/libraries.json`, JSON.stringify(libraries));
}
