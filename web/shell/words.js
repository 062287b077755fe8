/** Every sentence of the page's own chrome, looked up in web/locales. */
import enShare from "../locales/en/share.json";
import enShell from "../locales/en/shell.json";
import zhShare from "../locales/zh/share.json";
import zhShell from "../locales/zh/shell.json";

/** @typedef {"en" | "zh"} Language */

/** @type {Record<Language, Record<string, string>>} */
const WORDS = { en: { ...enShell, ...enShare }, zh: { ...zhShell, ...zhShare } };

/** `{n}`, or a word that bends to it: `{n:step|steps}`. */
const FACT = /\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g;

/** @type {Language} */
let current = "en";

/** @returns {Language} */
export const language = () => current;

/**
 * The sentence of a key with its facts filled in.
 * @param {string} key
 * @param {Record<string, string | number>} [facts]
 */
export function t(key, facts = {}) {
  const text = WORDS[current][key] ?? key;
  return text.replace(FACT, (_, name, one, other) =>
    other === undefined ? String(facts[name] ?? "") : Number(facts[name]) === 1 ? one : other,
  );
}

/** Whether there is a sentence for this key. @param {string} key */
export const has = (key) => key in WORDS[current];

/**
 * Switches the language and rewrites every marked element: `data-t` is its text (with
 * `data-t-facts`), `data-t-group` its accessible name, `data-t-label` its accessible name and tip.
 * @param {Language} next
 */
export function speak(next) {
  current = next;
  document.documentElement.lang = next === "zh" ? "zh-CN" : "en";
  document.title = t("app.name");
  for (const element of document.querySelectorAll("[data-t], [data-t-group], [data-t-label]")) {
    const { t: text, tFacts, tGroup, tLabel } = /** @type {HTMLElement} */ (element).dataset;
    if (text) element.textContent = t(text, tFacts && JSON.parse(tFacts));
    const name = tGroup ?? tLabel;
    if (name) element.setAttribute("aria-label", t(name));
    if (tLabel) element.setAttribute("title", t(tLabel));
  }
}

/** The language buttons show which one is in use. */
export function markLanguage() {
  for (const button of document.querySelectorAll("button[data-language]")) {
    const on = /** @type {HTMLElement} */ (button).dataset.language === current;
    button.setAttribute("aria-pressed", String(on));
  }
}
