/** Keys of the whole page; those of the time line, the editor and the graph are theirs. */
import { by, deepFocus, takesText } from "./dom.js";
import { showKeys } from "./menus.js";
import { focusNextPanel } from "./panels.js";

const GRAPH_KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Enter", "w", "f", "d"];
const LEDGER_KEYS = ["ArrowLeft", "ArrowRight", "Home", "End"];

/**
 * Drawn views have the focus as a whole; their keys go to Python, which knows what is where.
 * @param {(intent: Record<string, any>) => void} send
 */
export function listenInViews(send) {
  const listen = (
    /** @type {string} */ id,
    /** @type {string[]} */ keys,
    /** @type {string} */ intent,
  ) =>
    by(id).addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !keys.includes(event.key)) return;
      event.preventDefault();
      send({ intent, key: event.key });
    });
  listen("view-graph", GRAPH_KEYS, "graph-key");
  listen("view-ledger", LEDGER_KEYS, "ledger-key");
}

/** @param {{run: () => void, stop: () => void, noGrad: () => void}} does */
export function listenForKeys(does) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const command = event.ctrlKey || event.metaKey;
    if (command && event.key === "Enter") does.run();
    else if (command && event.altKey && event.code === "KeyN") does.noGrad();
    else if (event.key === "F6") focusNextPanel(event.shiftKey ? -1 : 1);
    else if (event.key === "?" && !takesText(deepFocus())) showKeys();
    else if (event.key === "Escape" && !document.querySelector("dialog[open], :popover-open")) {
      does.stop();
      return;
    } else return;
    event.preventDefault();
  });
}
