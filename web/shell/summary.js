/** On a phone, under the graph: what the Inspector would say, in two lines. */
import { by } from "./dom.js";

/** Python's MathML as an element. @param {string} markup */
function formula(markup) {
  const place = document.createElement("span");
  place.className = "formula";
  place.innerHTML = markup;
  return place;
}

/** @param {any} state */
export function showSummary(state) {
  const place = by("summary");
  place.replaceChildren();
  if (!state.sentence) return;
  const row = document.createElement("p");
  row.className = "row";
  if (state.inspector?.tag) {
    const tag = document.createElement("span");
    tag.className = `tag acc${state.inspector.words ? " words" : ""}`;
    tag.textContent = state.inspector.tag;
    row.append(tag);
    if (state.inspector.where) row.append(state.inspector.where);
  }
  if (state.inspector?.formula) row.append(formula(state.inspector.formula));
  const sentence = document.createElement("p");
  sentence.textContent = state.sentence;
  place.append(row, sentence);
}
