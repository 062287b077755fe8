/** What the interface wants to know of the program that ran: the runner answers, as an intent. */
import { noticeOf } from "./python.js";

/** What Python may have the runner do; it never runs anything else. */
const ALLOWED = ["losses"];

export class Questions {
  /** The answers on their way. @type {Promise<any>} */
  settled = Promise.resolve();

  /**
   * @param {import("./runner.js").Runner} runner
   * @param {import("./interface.js").Interface} views
   * @param {() => {source: string, seed: number, step: number}} about the run that is shown
   */
  constructor(runner, views, about) {
    this.runner = runner;
    this.views = views;
    this.about = about;
  }

  /** An expression of the learner's, in the program's state at the cursor. @param {Record<string, any>} intent */
  async evaluate({ value, ...rest }) {
    const { source, seed, step } = this.about();
    const { text, error } = await this.runner
      .ask({ type: "evaluate", source, seed, step, expression: value })
      .catch((gone) => ({ text: "", error: noticeOf(gone) }));
    return this.#tell({ ...rest, intent: "value", expression: value, text, error });
  }

  /** A question of Python's. @param {{question: any, reply: Record<string, any>}} message */
  ask({ question, reply }) {
    if (!ALLOWED.includes(question.type)) throw new Error(`not to be asked: ${question.type}`);
    const { source, seed } = this.about();
    this.settled = this.runner
      .ask({ ...question, source, seed })
      .catch(() => ({ values: [], error: "losses.stopped" }))
      .then(({ values, error }) => this.#tell({ ...reply, values, error }));
  }

  /** @param {Record<string, any>} intent */
  #tell(intent) {
    return this.views.send({ type: "intent", ...intent });
  }
}
