/** The parts of panel headers that follow the run: names of the ledger, tag of the inspector, graph tools. */
import { app, by, icon } from "./dom.js";
import { saveMenu } from "./save-menu.js";
import { t } from "./words.js";

const TOOLS = /** @type {const} */ ({
  table: "table",
  flip: "flip",
  zoomout: "minus",
  zoomin: "plus",
  fit: "fit",
  pin: "pin",
  save: "save",
});

/** @typedef {(intent: Record<string, any>) => void} Send */

/** @param {any} state @param {Send} send */
export function showHeaders(state, send) {
  ledgerNames(state.ledger, send);
  inspectorTag(state.inspector);
  contour(state.contour ?? null);
  graphTools(state.graph, send);
  const count = by("console-count");
  const lines = state.stdout ? state.stdout.replace(/\n$/, "").split("\n").length : 0;
  count.hidden = lines === 0;
  count.textContent = String(lines);
  by("status").textContent = state.status ? t("program.status", state.status) : "";
  // Before the step that raised, the run is explained as any other.
  const reached = state.ended || state.step >= state.steps;
  app().toggleAttribute("data-error", Boolean(state.error) && reached);
}

/** @param {{names: string[], selected: string} | undefined} ledger @param {Send} send */
function ledgerNames(ledger, send) {
  const place = by("ledger-names");
  const names = ledger?.names ?? [];
  place.hidden = names.length === 0;
  const many = names.length > 3 || names.join(".grad    ").length > 22;
  place.classList.toggle("seg", !many);
  if (many && place.dataset.names !== names.join(" ")) {
    place.dataset.names = names.join(" ");
    place.replaceChildren(namePicker(names, send));
  }
  if (place.dataset.names !== names.join(" ")) {
    place.dataset.names = names.join(" ");
    place.replaceChildren(
      ...names.map((name) => {
        const button = document.createElement("button");
        button.type = "button";
        button.className = "mono";
        button.textContent = `${name}.grad`;
        button.dataset.name = name;
        button.onclick = () => send({ intent: "ledger", name });
        return button;
      }),
    );
  }
  const picker = place.querySelector("select");
  if (picker) picker.value = ledger?.selected ?? "";
  for (const button of place.querySelectorAll("button")) {
    const { name } = /** @type {HTMLElement} */ (button).dataset;
    button.setAttribute("aria-pressed", String(name === ledger?.selected));
  }
}

/** Many names, or long ones, do not fit side by side. @param {string[]} names @param {Send} send */
function namePicker(names, send) {
  const picker = document.createElement("select");
  picker.className = "pick mono";
  picker.dataset.tGroup = "ledger.title";
  picker.setAttribute("aria-label", t("ledger.title"));
  for (const name of names) picker.add(new Option(`${name}.grad`, name));
  picker.onchange = () => send({ intent: "ledger", name: picker.value });
  return picker;
}

/** @param {{tag?: string, words?: boolean, latex?: boolean} | undefined} inspector */
function inspectorTag(inspector) {
  const tag = by("inspector-tag");
  tag.hidden = !inspector?.tag;
  tag.textContent = inspector?.tag ?? "";
  tag.classList.toggle("words", Boolean(inspector?.words));
  by("copy-latex").hidden = !inspector?.latex;
}

/** A loss of two numbers can be drawn beside the Inspector's words. @param {boolean | null} on */
function contour(on) {
  const button = by("contour");
  button.hidden = on === null;
  button.setAttribute("aria-pressed", String(Boolean(on)));
  by("view-contour").hidden = !on;
}

/** @param {{zoom?: number, tools?: (keyof typeof TOOLS)[], table?: boolean, pinned?: boolean} | undefined} graph @param {Send} send */
function graphTools(graph, send) {
  const place = by("graph-tools");
  const tools = graph?.tools ?? [];
  const wanted = `${tools.join(" ")} ${document.documentElement.lang}`;
  if (place.dataset.tools !== wanted) {
    place.dataset.tools = wanted;
    place.replaceChildren(...tools.flatMap((tool) => toolButtons(tool, send)));
  }
  const zoom = place.querySelector(".zoom");
  if (zoom) zoom.textContent = `${Math.round(graph?.zoom ?? 100)}%`;
  const table = place.querySelector("[data-tool=table]");
  table?.setAttribute("aria-pressed", String(Boolean(graph?.table)));
  const pin = place.querySelector("[data-tool=pin]");
  pin?.setAttribute("aria-pressed", String(Boolean(graph?.pinned)));
  pin?.setAttribute("title", t(graph?.pinned ? "graph.unpin" : "graph.pin"));
  by("view-table").hidden = !graph?.table;
  by("view-graph").style.visibility = graph?.table ? "hidden" : "";
}

/** @param {keyof typeof TOOLS} tool @param {Send} send */
function toolButtons(tool, send) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "btn icon-only";
  button.dataset.tool = tool;
  button.title = t(`graph.${tool}`);
  button.setAttribute("aria-label", button.title);
  button.innerHTML = icon(TOOLS[tool]);
  button.onclick = () => send({ intent: "graph-tool", tool });
  if (tool === "pin") button.onclick = () => send({ intent: "pin" });
  if (tool === "save") saveMenu(button, (what) => send({ intent: "save", what }));
  if (tool !== "zoomout") return [button];
  const zoom = document.createElement("span");
  zoom.className = "zoom small faint mono";
  return [button, zoom];
}
