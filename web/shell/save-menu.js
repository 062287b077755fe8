/** The menu behind the Save button of the graph: what can be taken home. */
import { menuButton } from "./menus.js";
import { has, t } from "./words.js";

const KINDS = ["svg", "png", "dot", "py", "ipynb", "trace"];

/**
 * The button is made anew with the language, and its menu with it.
 * @param {HTMLElement} button
 * @param {(what: string) => void} save
 */
export function saveMenu(button, save) {
  document.getElementById("save-menu")?.remove();
  const menu = document.createElement("div");
  menu.id = "save-menu";
  menu.className = "menu";
  menu.popover = "auto";
  document.body.append(menu);
  button.setAttribute("aria-haspopup", "true");
  menuButton(button, menu, () =>
    KINDS.map((what) => ({
      text: t(`save.${what}`),
      note: has(`save.${what}.note`) ? t(`save.${what}.note`) : undefined,
      act: () => save(what),
    })),
  );
}

/**
 * On a phone the graph has room for one tool: the others are in the page's menu.
 * @returns {import("./menus.js").Item[]}
 */
export function graphItems() {
  const tool = (/** @type {string} */ name) =>
    /** @type {HTMLElement | null} */ (document.querySelector(`#graph-tools [data-tool=${name}]`));
  const isOn = (/** @type {string} */ name) => tool(name)?.getAttribute("aria-pressed") === "true";
  if (!tool("save")) return [];
  return [
    { text: t("graph.table"), current: isOn("table"), act: () => tool("table")?.click() },
    { text: t(isOn("pin") ? "graph.unpin" : "graph.pin"), act: () => tool("pin")?.click() },
    { text: `${t("graph.save")} …`, act: () => tool("save")?.click() },
  ];
}
