/** What the page remembers on this device. Where storage is refused, it remembers nothing and works on. */

const PREFIX = "autograd-playground.";

/** @typedef {{get: (key: string) => string | null, set: (key: string, value: string | null) => boolean}} Memory */

/** @type {Memory} */
let memory = {
  get(key) {
    try {
      return localStorage.getItem(PREFIX + key);
    } catch {
      return null;
    }
  },
  set(key, value) {
    try {
      if (value === null) localStorage.removeItem(PREFIX + key);
      else localStorage.setItem(PREFIX + key, value);
      return true;
    } catch {
      return false;
    }
  },
};

/** A frame without storage of its own remembers through the page around. @param {Memory} other */
export function rememberWith(other) {
  memory = other;
}

/** @param {string} key @returns {string | null} */
export const recall = (key) => memory.get(key);

/** @param {string} key @param {string} value @returns {boolean} whether it was kept */
export const keep = (key, value) => memory.set(key, value);

/** @param {string} key */
export const forget = (key) => memory.set(key, null);

/** @typedef {"light" | "dark" | "auto"} Theme */

const dark = matchMedia("(prefers-color-scheme: dark)");

/** @type {Theme} */
let chosen = "auto";

/** @returns {Theme} */
export const theme = () => chosen;

/** The theme in use, with `auto` resolved. @returns {"light" | "dark"} */
export const shownTheme = () => (chosen === "auto" ? (dark.matches ? "dark" : "light") : chosen);

/** @param {Theme} next */
export function useTheme(next) {
  showTheme(next);
  keep("theme", next);
}

/** As asked for by a link: this once. @param {Theme} next */
export function showTheme(next) {
  chosen = next;
  document.documentElement.dataset.theme = shownTheme();
}

/** @param {() => void} told called when the system's theme changed and matters */
export function watchSystemTheme(told) {
  dark.addEventListener("change", () => {
    if (chosen !== "auto") return;
    document.documentElement.dataset.theme = shownTheme();
    told();
  });
}

/** @returns {Theme} */
export function rememberedTheme() {
  const value = recall("theme");
  return value === "light" || value === "dark" ? value : "auto";
}

/** @returns {"en" | "zh"} */
export function rememberedLanguage() {
  const value = new URLSearchParams(location.search).get("lang") ?? recall("language");
  if (value === "en" || value === "zh") return value;
  return navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
