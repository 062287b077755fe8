/**
 * Wakes Python from the memory kept at build time (web/builder/pyodide.mjs wrote it).
 *
 * The runtime's own restore brings back the memory alone. numpy's side modules have to be at the same
 * places of memory and function table again: their handles in the restored memory say where, so they are
 * instantiated from those; their relocations and constructors then dirty the memory, which is why it is
 * restored once more after that.
 */

/** What the runtime begins a kept memory with: "\\0snp". */
const MAGIC = [0x00, 0x73, 0x6e, 0x70];

/** @param {ArrayBuffer | Uint8Array} kept @returns {boolean} */
export const isMemory = (kept) => {
  const first = ArrayBuffer.isView(kept) ? kept.subarray(0, 4) : new Uint8Array(kept, 0, 4);
  return MAGIC.every((byte, i) => first[i] === byte);
};

/** @typedef {{handle: number, name: string, global: boolean, file: string}} Library */

/**
 * @param {Library[]} libraries in the order in which they were loaded
 * @param {WebAssembly.Module[]} modules
 * @returns {() => void} undoes the preparation
 */
export function prepareToWake(libraries, modules) {
  const scope = /** @type {any} */ (self);
  const create = scope._createPyodideModule;
  scope._createPyodideModule = async (/** @type {any} */ settings) => {
    const runtime = await create(settings);
    const restore = runtime.API.restoreSnapshot;
    runtime.API.restoreSnapshot = (/** @type {Uint8Array} */ memory) => {
      restore(memory);
      for (const [i, library] of libraries.entries()) placeLibrary(runtime, library, modules[i]);
      return restore(memory);
    };
    return runtime;
  };
  return () => {
    scope._createPyodideModule = create;
  };
}

/** @param {any} runtime @param {Library} library @param {WebAssembly.Module} module */
function placeLibrary(runtime, { handle, name, global }, module) {
  const flags = { loadAsync: false, nodelete: true, global };
  const exports = runtime.loadWebAssemblyModule(module, flags, name, global ? null : {}, handle);
  const loaded = { refcount: Number.POSITIVE_INFINITY, name, exports, global };
  runtime.LDSO.loadedLibsByName[name] = loaded;
  runtime.LDSO.loadedLibsByHandle[handle] = loaded;
}
