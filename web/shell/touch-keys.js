/** A row of keys a phone's keyboard hides behind others. */
import { t } from "./words.js";

const KEYS = ["⇥", "(", ")", "[", "]", "=", ".", "_", "*", ":"];

/** @param {HTMLElement} place @param {import("./editor/editor.js").Editor} editor */
export function keysForCode(place, editor) {
  place.hidden = false;
  place.setAttribute("role", "group");
  place.dataset.tGroup = "program.keys";
  place.setAttribute("aria-label", t("program.keys"));
  place.replaceChildren(
    ...KEYS.map((key) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "btn line";
      button.textContent = key;
      if (key === "⇥") button.setAttribute("aria-label", t("program.tab"));
      // The pointer must not take the focus from the editor, or the keyboard would slide away.
      button.onpointerdown = (event) => event.preventDefault();
      button.onclick = () => editor.insert(key === "⇥" ? "    " : key);
      return button;
    }),
  );
}
