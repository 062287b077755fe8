/** How high an embedding wants to be: the same before it is loaded and after, so that nothing jumps. */

/** Below this width it is laid out as on a phone. */
export const NARROW = 640;
export const PHONE_HEIGHT = 600;
const LINE = 20;

/** @param {number} lines of the program */
export const programHeight = (lines) => Math.min(Math.max(lines * LINE + 20, 180), 420);

/**
 * The panels in rows of at most two.
 * @param {string[]} panels
 * @returns {string[][]}
 */
export function rowsOf(panels) {
  const side = panels.includes("leaves") || panels.includes("console") ? ["leaves"] : [];
  const has = (/** @type {string} */ name) => (panels.includes(name) ? [name] : []);
  return [[...has("program"), ...has("ledger")], has("graph"), [...side, ...has("inspector")]];
}

/**
 * @param {string[]} panels
 * @param {number} lines
 * @returns {{rows: number[], whole: number}} px of each of `rowsOf`, and of all with the bars
 */
export function heights(panels, lines) {
  const wished = [panels.includes("program") ? programHeight(lines) : 220, 210, 220];
  const rows = rowsOf(panels).map((row, i) => (row.length ? wished[i] : 0));
  return { rows, whole: rows.reduce((sum, row) => sum + row, 40 + 48 + 2) };
}
