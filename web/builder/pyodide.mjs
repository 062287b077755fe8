// Runs one Python script in Pyodide under Node.js: node pyodide.mjs JOB.json
// JOB: {pyodide: folder of the npm package, stdlib?: zip to start from, mounts: {path inside: folder outside},
//       path: folders for sys.path, script: file, input: anything, output: file the script's `result` goes to as JSON}
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const { loadPyodide } = await import(pathToFileURL(`${job.pyodide}/pyodide.mjs`));
// Panel's browser parts look this up on import; nothing here ever sends a request.
globalThis.XMLHttpRequest ??= class XMLHttpRequest {};

const python = await loadPyodide({
  ...(job.stdlib ? { stdLibURL: job.stdlib } : {}),
  env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0" },
});
for (const [inside, outside] of Object.entries(job.mounts ?? {})) python.mountNodeFS(inside, outside);
python.globals.set("given", JSON.stringify({ path: job.path ?? [], input: job.input ?? null }));
try {
  await python.runPythonAsync(`
import json, sys
given = json.loads(given)
sys.path[:0] = given["path"]
given = given["input"]
result = None
`);
  await python.runPythonAsync(fs.readFileSync(job.script, "utf8"), { filename: job.script });
  if (job.output) fs.writeFileSync(job.output, python.runPython("json.dumps(result)"));
} catch (error) {
  // The runtime's own stack is thousands of characters of wasm frames; the Python traceback is what helps.
  console.error(String(error.message ?? error));
  process.exitCode = 1;
}
process.exit();
