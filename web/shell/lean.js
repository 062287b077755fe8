/**
 * What Bokeh does at every paint for things that nobody sees here. For each kind of drawn thing it keeps
 * five glyphs more (selected, not selected, muted, decimated, under the pointer) and computes all of them;
 * and it writes a style sheet for an element of each that is empty, which has the browser look through all
 * styles. Both together are half of a step. See docs/notes/speed-of-the-picture.md.
 */

const NEEDED = /** @type {const} */ (["set_data", "set_visuals", "map_data", "update_position"]);

/** Once, before the document is put into the page. A Bokeh that is made otherwise stays as it is. @param {any} Bokeh */
export function leaveOutTheUnseen(Bokeh) {
  const view = Bokeh.Models.get("GlyphRenderer").prototype.default_view?.prototype;
  if (!view || NEEDED.some((name) => typeof view[name] !== "function")) return;
  Object.assign(view, lean);
}

/** The glyphs that are drawn: plain, and under the pointer where there is one. @param {any} view */
const drawn = (view) => [view.glyph, view.hover_glyph].filter(Boolean);

/** @type {ThisType<any>} */
const lean = {
  /** @param {number[]} [changed] rows that were patched */
  async set_data(changed) {
    this.all_indices = this.model.view.indices;
    for (const glyph of drawn(this)) {
      await glyph.set_data(this.model.data_source, this.all_indices, changed);
    }
    await this.set_visuals();
    this._update_masked_indices();
    this.plot_view.invalidate_dataranges = true;
  },
  async set_visuals() {
    for (const glyph of drawn(this)) {
      glyph.set_visuals(this.model.data_source, this.all_indices);
      glyph.after_visuals();
      await glyph.after_lazy_visuals();
    }
  },
  map_data() {
    for (const glyph of drawn(this)) glyph.map_data();
  },
  update_position() {},
};
