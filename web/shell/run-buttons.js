/** Run and Stop in their states: waiting for the start, ready, busy. On a phone and in another page they stand in the top bar. */
import { buttonBy, by } from "./dom.js";
import { t } from "./words.js";

/** A run shorter than this shows no ring. */
const UNNOTICED = 150;

export class RunButtons {
  running = false;
  #timer = 0;

  constructor() {
    this.run = buttonBy("run");
    this.stop = buttonBy("stop");
    this.label = /** @type {HTMLElement} */ (this.run.querySelector(".label"));
  }

  ready() {
    this.run.classList.replace("line", "solid");
    this.#name("program.run");
    this.#ring(false);
  }

  busy() {
    this.running = true;
    this.stop.disabled = false;
    this.#timer = window.setTimeout(() => this.#ring(true), UNNOTICED);
  }

  idle() {
    clearTimeout(this.#timer);
    const focused = document.activeElement === this.stop;
    this.running = false;
    this.stop.disabled = true;
    this.#ring(false);
    // The pressed Stop is no longer there to hold the focus.
    if (focused) this.run.focus();
  }

  /** @param {"desktop" | "tablet" | "phone" | "embed"} layout */
  place(layout) {
    const phone = layout === "phone";
    const above = phone || layout === "embed";
    const place = by(above ? "phone-run" : "run-place");
    this.run.classList.toggle("big", phone);
    this.stop.classList.toggle("big", phone);
    if (this.run.parentElement === place) return;
    if (above) place.append(this.stop, this.run);
    else {
      place.append(this.run);
      place.before(this.stop);
    }
  }

  /** @param {boolean} on */
  #ring(on) {
    const [ring, play] = this.run.querySelectorAll(":scope > .spin, :scope > .icon");
    /** @type {HTMLElement} */ (ring).hidden = !on;
    play?.toggleAttribute("hidden", on);
    this.run.setAttribute("aria-busy", String(on));
  }

  /** @param {string} key */
  #name(key) {
    this.label.dataset.t = key;
    this.label.textContent = t(key);
  }
}
