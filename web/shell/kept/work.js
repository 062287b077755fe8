/**
 * A learner's own version of a program, kept as it is typed. Where somebody gave the program (a link,
 * a course page), neither version hides the other: when the given one is newer than the work, it is
 * shown and the work offered; else the work is shown and the given one offered.
 */

/** @typedef {{read: () => string | null, write: (text: string | null) => boolean}} Slot */
/** @typedef {{given: string, mine: string, at: number}} Version what was made of what, and when */
/** @typedef {Version & {older?: Version}} Kept */
/** @typedef {{whose: "yours" | "given", text: string, newer: boolean, at: number}} Other */

export class Work {
  /** @type {Version | undefined} work on a former given program, or put aside for the given one */
  #older;

  /**
   * @param {Slot} slot where it is kept
   * @param {string | null} given null where nobody gave a program: then the work is all there is
   * @param {() => number} now
   */
  constructor(slot, given, now = Date.now) {
    this.slot = slot;
    this.given = given;
    this.now = now;
  }

  /** What to show first, and what to offer beside it. @returns {{text: string | null, other: Other | null}} */
  open() {
    const kept = this.#read();
    if (this.given === null) return { text: kept?.mine ?? null, other: null };
    if (!kept) return { text: this.given, other: null };
    if (kept.given === this.given) {
      this.#older = kept.older;
      if (kept.mine !== this.given) {
        const other = { text: this.given, newer: false, at: kept.at };
        return { text: kept.mine, other: { whose: "given", ...other } };
      }
    } else if (kept.mine !== kept.given) {
      this.#older = { given: kept.given, mine: kept.mine, at: kept.at };
    } else this.#older = kept.older;
    if (!this.#older || this.#older.mine === this.given) return { text: this.given, other: null };
    const { mine, at, given } = this.#older;
    const newer = given !== this.given;
    return { text: this.given, other: { whose: "yours", text: mine, newer, at } };
  }

  /** @param {string} text @returns {boolean} whether it is kept now */
  save(text) {
    const { given } = this;
    if (text === given && !this.#older) return this.slot.write(null);
    const older = this.#older && { older: this.#older };
    /** @type {Kept} */
    const kept = { given: given ?? "", mine: text, at: this.now(), ...older };
    return this.slot.write(JSON.stringify(kept));
  }

  /** Whoever looks at the given program wants to find the work again. @param {string} mine */
  putAside(mine) {
    this.#older = { given: this.given ?? "", mine, at: this.now() };
  }

  /** The work on the former program is not wanted any more. @param {string} text what is shown now */
  dropOlder(text) {
    this.#older = undefined;
    this.save(text);
  }

  /** @returns {Kept | null} */
  #read() {
    try {
      const kept = JSON.parse(this.slot.read() ?? "null");
      const whole = typeof kept?.mine === "string" && typeof kept.given === "string";
      return whole ? kept : null;
    } catch {
      return null;
    }
  }
}

/** A short name for a text, the same every time. @param {string} text */
export function fingerprint(text) {
  let [a, b] = [0x811c9dc5, 0x1000193];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b + code, 0x85ebca6b) ^ (b >>> 13);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}
