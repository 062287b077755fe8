/** The interpreter that runs a learner's program, with engine as torch. The page may end it at any moment. */
import { bootPython } from "./python.js";

const send = (/** @type {string} */ text) => self.postMessage(text);

/** @type {any} */
let session;
/** @type {any} */
let late;
/** @type {() => Promise<any>} */
let rest;

/**
 * A program can break the interpreter itself (deep recursion through C): then the worker is of no
 * more use, says so, and the page starts another.
 * @param {string} text
 */
async function take(text) {
  try {
    // What a program imports may be among the modules that come after the start.
    if (late.missing(JSON.parse(text).source).length) await rest();
    send(session.handle(text));
  } catch (error) {
    send(JSON.stringify({ type: "fatal", message: String(error) }));
  }
}

async function start() {
  try {
    const python = await bootPython(send, take);
    const { pyodide, open } = python;
    rest = python.rest;
    late = pyodide.pyimport("playground.late");
    session = pyodide.pyimport("playground.session");
    send(JSON.stringify({ type: "ready" }));
    open();
  } catch (error) {
    send(JSON.stringify({ type: "fatal", message: String(error) }));
  }
}

start();
