/** What the page remembers on this device. Where storage is refused, it remembers nothing and works on. */

const PREFIX = "autograd-playground.";

/** @param {string} key @returns {string | null} */
export function recall(key) {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value @returns {boolean} whether it was kept */
export function keep(key, value) {
  try {
    localStorage.setItem(PREFIX + key, value);
    return true;
  } catch {
    return false;
  }
}

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
  chosen = next;
  keep("theme", next);
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
