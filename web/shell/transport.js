/** Steps, plays and scrubs: buttons, step size, speed, loop, and the slider over the time line. */
import { buttonBy, by, icon } from "./dom.js";
import { t } from "./words.js";

/** Time from one step to the next at speed 1. */
const BEAT = 900;

/** @typedef {"line" | "operation" | "message"} Size */

export class Transport {
  /** @type {Record<Size, number[]>} cursors each step size stops at */
  #stops = { line: [], operation: [], message: [] };
  #timer = 0;
  step = 0;
  steps = 0;
  /** What a screen reader hears with the position. */
  sentence = "";
  /** Where the drawn time line has its first and last tick, px from its edges. */
  #ends = { left: 124, right: 28 };

  /**
   * @param {(step: number) => Promise<void>} goto
   * @param {(size: Size) => void} sized told when another step size was chosen
   * @param {() => void} paused told when playing has ended
   */
  constructor(goto, sized, paused) {
    this.goto = goto;
    this.paused = paused;
    this.slider = /** @type {HTMLInputElement} */ (by("slider"));
    by("first").onclick = () => this.first();
    by("prev").onclick = () => this.by(-1);
    by("next").onclick = () => this.by(1);
    by("last").onclick = () => this.last();
    by("play").onclick = () => (this.playing ? this.pause() : this.play());
    by("loop").onclick = () => by("loop").setAttribute("aria-pressed", String(!this.looping));
    by("step-size").onchange = () => sized(this.size);
    this.slider.oninput = () => this.#to(Number(this.slider.value));
    this.slider.addEventListener("keydown", (event) => this.#key(event));
    this.#scrubbing();
    this.#draw();
  }

  get playing() {
    return this.#timer !== 0;
  }

  get looping() {
    return by("loop").getAttribute("aria-pressed") === "true";
  }

  /** @returns {Size} */
  get size() {
    const chosen = document.querySelector("#step-size :checked");
    return /** @type {Size} */ (/** @type {HTMLInputElement} */ (chosen).value);
  }

  /** @param {any} state what Python says is shown */
  show(state) {
    this.step = state.step;
    this.steps = state.steps;
    this.#stops = { ...this.#stops, ...state.sizes };
    this.#ends = state.timeline ?? this.#ends;
    this.sentence = state.sentence ?? "";
    this.#draw();
  }

  first() {
    return this.#to(this.#stopsOf(this.size)[0] ?? Math.min(1, this.steps));
  }

  last() {
    return this.#to(this.steps);
  }

  /**
   * So many stops on, or back.
   * @param {number} count
   * @param {Size} [size]
   */
  by(count, size = this.size) {
    return this.#to(this.#stopAfter(this.step, count, size));
  }

  play() {
    if (this.playing || this.steps === 0) return;
    if (this.step >= this.steps) this.first();
    this.#timer = -1;
    this.#beat();
    this.#draw();
  }

  pause() {
    if (!this.playing) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#draw();
    this.paused();
  }

  #beat() {
    const speed = Number(/** @type {HTMLSelectElement} */ (by("speed")).value);
    this.#timer = window.setTimeout(async () => {
      if (this.step >= this.steps) {
        if (!this.looping) return this.pause();
        await this.goto(this.#stopsOf(this.size)[0] ?? 1);
      } else await this.goto(this.#stopAfter(this.step, 1, this.size));
      if (this.playing) this.#beat();
    }, BEAT / speed);
  }

  /** A person's move ends playing. @param {number} step */
  #to(step) {
    this.pause();
    return this.goto(Math.max(0, Math.min(this.steps, step)));
  }

  /** @param {Size} size */
  #stopsOf(size) {
    return this.#stops[size] ?? [];
  }

  /** @param {number} step @param {number} count @param {Size} size */
  #stopAfter(step, count, size) {
    let at = step;
    for (let i = 0; i < Math.abs(count); i++) {
      const stops = this.#stopsOf(size);
      const next =
        count > 0 ? stops.find((stop) => stop > at) : stops.findLast((stop) => stop < at);
      if (next === undefined) return count > 0 ? this.steps : Math.min(at, stops[0] ?? 0);
      at = next;
    }
    return at;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const size = event.shiftKey ? "line" : this.size;
    const moves = /** @type {Record<string, () => void>} */ ({
      ArrowRight: () => this.by(1, size),
      ArrowUp: () => this.by(1, size),
      PageUp: () => this.by(1, "line"),
      ArrowLeft: () => this.by(-1, size),
      ArrowDown: () => this.by(-1, size),
      PageDown: () => this.by(-1, "line"),
      Home: () => this.first(),
      End: () => this.last(),
      " ": () => (this.playing ? this.pause() : this.play()),
    });
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  /** The pointer picks the tick under it, not the place a native thumb would have. */
  #scrubbing() {
    const { slider } = this;
    const pick = (/** @type {PointerEvent} */ event) => {
      const box = by("view-timeline").getBoundingClientRect();
      const { left, right } = this.#ends;
      const places = this.#stopsOf(this.size === "message" ? "message" : "operation").filter(
        Boolean,
      );
      const gap = (box.width - left - right) / Math.max(1, places.length - 1);
      const place = Math.round((event.clientX - box.left - left) / gap);
      const wanted = places[Math.max(0, Math.min(places.length - 1, place))] ?? this.steps;
      if (wanted !== this.step) this.#to(wanted);
    };
    slider.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      event.preventDefault();
      slider.focus();
      slider.setPointerCapture(event.pointerId);
      this.pause();
      pick(event);
    });
    slider.addEventListener("pointermove", (event) => {
      if (slider.hasPointerCapture(event.pointerId)) pick(event);
    });
  }

  /** Everything that shows where we are, in the language of now. */
  #draw() {
    const { slider, step, steps, playing } = this;
    slider.max = String(steps);
    slider.value = String(step);
    slider.disabled = steps === 0;
    const position = t("time.position", { i: step, n: steps });
    slider.setAttribute(
      "aria-valuetext",
      this.sentence ? `${position}. ${this.sentence}` : position,
    );
    by("position").textContent = steps ? position : "";
    by("position-short").innerHTML = steps ? `<b>${step}</b> / ${steps}` : "";
    // At an end the buttons stay as they are: a disabled one would drop the keyboard's focus.
    for (const id of ["first", "prev", "play", "next", "last"]) buttonBy(id).disabled = steps === 0;
    const play = buttonBy("play");
    play.innerHTML = icon(playing ? "pause" : "play");
    play.dataset.tLabel = playing ? "time.pause" : "time.play";
    play.title = t(play.dataset.tLabel);
    play.setAttribute("aria-label", play.title);
  }

  /** After the language changed. */
  translate() {
    this.#draw();
  }
}
