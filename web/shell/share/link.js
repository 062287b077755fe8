/** What to hand on: the link to what is shown, and the lines that put it into another page. */
import { toFragment } from "../link/opening.js";
import { theme } from "../preferences.js";
import { language } from "../words.js";

/** @typedef {{step?: boolean, language?: boolean}} How what of the surroundings goes along; all by default */

/**
 * @param {import("../playground.js").Playground} playground
 * @param {string} home the page's address without anything behind it
 * @param {How} [how]
 */
export async function linkOf(playground, home, { step = true, language: speaks = true } = {}) {
  const fragment = await toFragment({
    program: playground.editor.text,
    step: step ? playground.shownStep : null,
    seed: playground.seed,
    language: speaks ? language() : null,
    theme: theme(),
  });
  return `${home}#${fragment}`;
}

/**
 * @param {import("../playground.js").Playground} playground
 * @param {string} home
 * @param {How} how
 */
export function snippetOf(playground, home, { step, language: speaks }) {
  const at = playground.shownStep;
  const options = [
    step && at !== null ? `step="${at}" ` : "",
    speaks ? `lang="${language()}" ` : "",
    `panels="program,graph,ledger"`,
  ];
  return `<script src="${new URL("embed.js", home).href}"></script>
<autograd-playground ${options.join("")}
  program="${escaped(playground.editor.text)}">
</autograd-playground>`;
}

/** @param {string} text */
const escaped = (text) =>
  text
    .replaceAll("&", "&amp;")
    .replaceAll('"', "&quot;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("\n", "&#10;");
