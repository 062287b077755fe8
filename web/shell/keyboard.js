/** Keys of the whole page; those of the time line, the editor and the graph are theirs. */
import { deepFocus, takesText } from "./dom.js";
import { showKeys } from "./menus.js";
import { focusNextPanel } from "./panels.js";

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
