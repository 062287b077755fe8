/** Language, theme and room: what the page is in, and tells Python of. */
import { retell } from "./loading.js";
import { layout, measureViews } from "./panels.js";
import { keep, shownTheme, useTheme } from "./preferences.js";
import { markLanguage, speak } from "./words.js";

/**
 * What the page opens with. One that does not run by itself is shown until a person presses Run, and
 * then goes to its step.
 * @typedef {{program: string, runs: boolean, step: number | null, seed: number, readonly: boolean,
 *   save: (text: string) => boolean, source: import("./assets.js").Source}} Opening
 */

export class Surroundings extends EventTarget {
  /** Made by the page that is in them. @type {import("./editor/editor.js").Editor} */
  editor;
  /** @type {import("./transport.js").Transport} */
  transport;
  /** @type {import("./interface.js").Interface} */
  interface;
  /** @type {import("./run-buttons.js").RunButtons} */
  buttons;

  /** @param {"en" | "zh"} next */
  async setLanguage(next) {
    speak(next);
    keep("language", next);
    markLanguage();
    this.editor.translate();
    this.transport.translate();
    retell();
    await this.#tell(() => ({ type: "language", language: next }));
  }

  /** @param {import("./preferences.js").Theme} next */
  async setTheme(next) {
    useTheme(next);
    await this.tellTheme();
  }

  async tellTheme() {
    await this.#tell(() => ({ type: "theme", theme: shownTheme() }));
  }

  async tellRoom() {
    this.buttons.place(layout());
    this.editor.wrap(layout() !== "desktop");
    await this.#tell(() => ({ type: "viewport", viewport: measureViews() }));
  }

  /** How things are when Python is up, not when it was asked for. @param {() => {type: string}} message */
  async #tell(message) {
    await this.interface.ready;
    await this.interface.send(message());
  }
}
