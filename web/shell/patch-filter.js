/**
 * What Python may change in the document, and what not. A learner's program never reaches the
 * interface's Python, but should it ever: no patch with code in it comes through.
 */

const KINDS = new Set([
  "ModelChanged",
  "ColumnDataChanged",
  "ColumnsStreamed",
  "ColumnsPatched",
  "TitleChanged",
  "RootAdded",
  "RootRemoved",
  "ClearDocument",
]);

/** Models and attributes that hold or fetch code. Plain stylesheets of text are no code. */
const CODE_MODEL =
  /^(Custom\w*|.*\.?(ReactiveESM|ReactComponent|AnyWidgetComponent|ReactiveHTML|JSComponent)|Callback|.*CustomJS.*|TextTemplate)$/;
const CODE_ATTRIBUTE =
  /^(js_\w+|esm|importmap|bundle|_?bundle_path|subscribed_esm|code|extra_script_urls|scripts)$/;

/**
 * Why a value must not enter the page, or null.
 * @param {any} value
 * @returns {string | null}
 */
export function codeIn(value) {
  if (Array.isArray(value)) return first(value, codeIn);
  if (value === null || typeof value !== "object") return null;
  if (value.type === "object" && CODE_MODEL.test(String(value.name))) return `model ${value.name}`;
  return first(Object.entries(value), ([key, inner]) => {
    const empty = inner === null || inner === "" || (typeof inner === "object" && isEmpty(inner));
    if (CODE_ATTRIBUTE.test(key) && !empty) return `attribute ${key}`;
    return codeIn(inner);
  });
}

/**
 * Why a whole patch is refused, or null.
 * @param {any} patch
 * @returns {string | null}
 */
export function reasonToRefuse(patch) {
  return first(patch.events ?? [], (event) => {
    if (!KINDS.has(event.kind)) return `event ${event.kind}`;
    if (typeof event.attr === "string" && CODE_ATTRIBUTE.test(event.attr))
      return `attribute ${event.attr}`;
    return codeIn(event);
  });
}

/** An empty list, dict, or Bokeh's `{type: "map"}` without entries. @param {any} value */
const isEmpty = (value) =>
  Array.isArray(value)
    ? value.length === 0
    : Object.keys(value).every((key) => key === "type" || isNothing(value[key]));

/** @param {any} value */
const isNothing = (value) => value === null || (Array.isArray(value) && value.length === 0);

/**
 * @template T
 * @param {Iterable<T>} items
 * @param {(item: T) => string | null} ask
 */
function first(items, ask) {
  for (const item of items) {
    const answer = ask(item);
    if (answer) return answer;
  }
  return null;
}
