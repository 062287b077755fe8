/** The interpreter that runs a learner's program, with engine as torch. The page may end it at any moment. */
import { bootPython } from "./python.js";

const send = (/** @type {string} */ text) => self.postMessage(text);

/** @type {any} */
let session;

/**
 * A program can break the interpreter itself (deep recursion through C): then the worker is of no
 * more use, says so, and the page starts another.
 * @param {string} text
 */
function take(text) {
  try {
    send(session.handle(text));
  } catch (error) {
    send(JSON.stringify({ type: "fatal", message: String(error) }));
  }
}

async function start() {
  try {
    const { pyodide, open } = await bootPython(send, take);
    session = pyodide.pyimport("playground.session");
    send(JSON.stringify({ type: "ready" }));
    open();
  } catch (error) {
    send(JSON.stringify({ type: "fatal", message: String(error) }));
  }
}

start();
