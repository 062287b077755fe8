/** The interpreter behind the panels: Panel, Bokeh and playground. It never runs a learner's program. */
import { solve } from "../dagre-layout.js";
import { bootPython } from "./python.js";

const send = (/** @type {string} */ text) => self.postMessage(text);

/** @type {(message: string) => any} */
let receive = () => {};
/** While nothing waits for an answer: the next step is drawn before it is asked for. */
let ahead = () => {};
let idle = 0;
/** Messages are answered one after the other. @type {Promise<void>} */
let turn = Promise.resolve();

/** @param {string} text */
function take(text) {
  const message = JSON.parse(text);
  clearTimeout(idle);
  turn = turn.then(() => (message.type === "start" ? start(message) : answer(text, message.id)));
}

/** @param {string} text @param {number} id */
async function answer(text, id) {
  try {
    await receive(text);
  } catch (error) {
    send(JSON.stringify({ type: "failed", id, message: String(error) }));
  }
  idle = self.setTimeout(() => ahead());
}

/** @type {any} */
let pyodide;

/** @param {any} message */
async function start(message) {
  try {
    const app = pyodide.pyimport("playground.app");
    receive = (text) => app.receive(text);
    ahead = () => {
      try {
        app.ahead();
      } catch {} // what is wrong with that step is said when it is asked for
    };
    await app.start(send, JSON.stringify(message.surroundings), solve);
  } catch (error) {
    send(JSON.stringify({ type: "fatal", message: String(error) }));
  }
}

bootPython(send, take).then(
  ({ pyodide: python, open }) => {
    pyodide = python;
    open();
  },
  (error) => send(JSON.stringify({ type: "fatal", message: String(error) })),
);
