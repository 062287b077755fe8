/** How the page speaks up: the polite live region, the notice, the clipboard, files. */
import { by } from "./dom.js";
import { pixels } from "./picture.js";
import { t } from "./words.js";

/** @param {string} sentence */
export function announce(sentence) {
  by("spoken").textContent = sentence;
}

/** @param {string} text */
export function notice(text) {
  by("notice-text").textContent = text;
  by("notice").hidden = false;
}

export function hideNotice() {
  by("notice").hidden = true;
}

/** @param {string} text @param {HTMLElement} [place] an open dialog, outside of which nothing can be selected */
export async function copyText(text, place = document.body) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Where the clipboard is refused, the browser's own copy of a selection still works.
    const field = document.createElement("textarea");
    field.value = text;
    place.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  announce(t("copied"));
  notice(t("copied"));
  setTimeout(() => by("notice-text").textContent === t("copied") && hideNotice(), 2000);
}

/**
 * Python sends every file as text; a picture in pixels comes as the SVG it is to be made of.
 * @param {{name: string, mime: string, text: string}} file
 */
export async function saveFile({ name, mime, text }) {
  const url = URL.createObjectURL(
    mime === "image/png" ? await pixels(text) : new Blob([text], { type: mime }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
