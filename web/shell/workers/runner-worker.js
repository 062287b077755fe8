/** The interpreter that runs a learner's program, with engine as torch. The page may end it at any moment. */
import { bootPython } from "./python.js";

const MEGABYTE = 2 ** 20;
/** A program's Python never has more: what asks for more gets a MemoryError. */
const MOST = 1024 * MEGABYTE;
/** Memory only grows. After a run that left more than this the page starts another Python. */
const WORN = 256 * MEGABYTE;
const PAGE = 2 ** 16;

const send = (/** @type {string} */ text) => self.postMessage(text);

/** @type {any} */
let pyodide;
/** @type {any} */
let session;
/** @type {any} */
let late;
/** @type {() => Promise<any>} */
let rest;

/** The runtime asks for as much memory as there can be; it gets less. */
function limitMemory() {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    /** @param {WebAssembly.MemoryDescriptor} wanted */
    constructor(wanted) {
      super({ ...wanted, maximum: Math.min(wanted.maximum ?? MOST / PAGE, MOST / PAGE) });
    }
  };
}

/**
 * A program can break the interpreter itself (deep recursion through C): then the worker is of no
 * more use, says so, and the page starts another.
 * @param {string} text
 */
async function take(text) {
  try {
    // What a program imports may be among the modules that come after the start.
    if (late.missing(JSON.parse(text).source).length) await rest();
    send(session.handle(text, send));
    if (pyodide._module.HEAPU8.length > WORN) send(JSON.stringify({ type: "worn" }));
  } catch (error) {
    send(JSON.stringify({ type: "fatal", message: String(error) }));
  }
}

async function start() {
  try {
    limitMemory();
    const python = await bootPython(send, take);
    pyodide = python.pyodide;
    rest = python.rest;
    late = pyodide.pyimport("playground.late");
    session = pyodide.pyimport("playground.session");
    send(JSON.stringify({ type: "ready" }));
    python.open();
  } catch (error) {
    send(JSON.stringify({ type: "fatal", message: String(error) }));
  }
}

start();
