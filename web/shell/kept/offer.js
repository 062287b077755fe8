/** The line above the program that offers the other version of it. */
import { by, icon } from "../dom.js";
import { language, t } from "../words.js";

/**
 * @param {import("./work.js").Other} other
 * @param {{text: string}} editor
 * @param {import("./work.js").Work} work
 */
export function offerOther(other, editor, work) {
  const line = document.createElement("div");
  line.id = "offer";
  line.setAttribute("role", "status");
  line.innerHTML = `<span></span><button type="button" class="btn line small"></button>
    <button type="button" class="btn icon-only">${icon("close")}</button>`;
  const [text, swap, close] = /** @type {any} */ (line.children);
  let { whose, text: held } = other;
  const draw = () => {
    const when = new Intl.DateTimeFormat(language() === "zh" ? "zh-CN" : "en", {
      dateStyle: "medium",
      timeStyle: "short",
    }).format(other.at);
    const shown = whose === "given" ? "work.yours" : other.newer ? "work.newer" : "work.given";
    text.textContent = t(shown, { when });
    swap.textContent = t(whose === "given" ? "work.showgiven" : "work.showyours");
    close.title = t("notice.close");
    close.setAttribute("aria-label", close.title);
  };
  swap.onclick = () => {
    const before = editor.text;
    if (whose === "given") work.putAside(before);
    editor.text = held;
    held = before;
    whose = whose === "given" ? "yours" : "given";
    draw();
  };
  close.onclick = () => {
    line.remove();
    work.dropOlder(editor.text);
  };
  draw();
  by("editor").before(line);
  return draw;
}
