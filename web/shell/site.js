/**
 * The address under which the page's files lie: the path it was built for (`build --base-path`), else
 * its own address. In a frame of the page it is the address of the page around.
 */
export function home() {
  const { base } = document.documentElement.dataset;
  return base ? new URL(base, document.baseURI).href : document.baseURI.replace(/[?#].*/, "");
}
