/** What the page starts with: whose program it shows decides where it runs. */
import { NETWORK, readManifest } from "./assets.js";
import { Guest, isGuest } from "./frame/guest.js";
import { openHost } from "./frame/host.js";
import { isLink } from "./link/codec.js";
import { fromOptions, isForeign, PLAIN, readAddress } from "./link/opening.js";
import { EMBEDDED, isOneFile, keepAsOpened } from "./onefile/embedded.js";
import { startPage } from "./page.js";

const shell = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src ?? "";
if (isOneFile()) keepAsOpened();
const manifest = readManifest();
for (const example of manifest.examples) example.text = example.text.replace(/\n$/, "");

/** Without unpacking anything. */
function asksForFrame() {
  const fragment = location.hash.slice(1);
  const options = new URLSearchParams(/^\w+=/.test(fragment) ? fragment : "");
  for (const [key, value] of new URLSearchParams(location.search)) options.set(key, value);
  return isLink(fragment) || isForeign(fromOptions(options));
}

if (isGuest()) {
  Guest.join().then((guest) => {
    const { opening, problem } = guest.welcome;
    startPage(manifest, opening, { guest, problem });
  });
} else if (asksForFrame() && (isOneFile() ? !isClosed() : self.origin !== "null")) {
  openHost(manifest, isOneFile() ? EMBEDDED : NETWORK, shell);
} else if (isClosed() && !isOneFile()) {
  withoutOrigin();
} else if (asksForFrame()) {
  // What would have to be guarded is out of reach already.
  startHere();
} else {
  startPage(manifest, { ...PLAIN, ...inThisFile() });
}

/** Whether another page's sandbox is around; a file on a disk has no origin either. */
function isClosed() {
  return self.origin === "null" && location.protocol !== "file:";
}

async function startHere() {
  try {
    startPage(manifest, await readAddress(location));
  } catch (error) {
    const { reason } = /** @type {import("./link/codec.js").LinkError} */ (error);
    startPage(manifest, PLAIN, { problem: reason });
  }
}

/**
 * A frame that another page's sandbox closes already. Unless the server lets it fetch, only the page
 * that has everything inside works there.
 */
async function withoutOrigin() {
  const [first] = manifest.assets;
  const allowed = !first || (await fetch(first.url, { method: "HEAD" }).catch(() => null));
  if (allowed || !manifest.onefile) return startHere();
  location.replace(manifest.onefile.url + location.search + location.hash);
}

// Another link in the same tab is another page.
addEventListener("hashchange", () => asksForFrame() && location.reload());

/** What a page saved as one file has inside. @returns {Partial<import("./link/opening.js").Opening>} */
function inThisFile() {
  return JSON.parse(document.getElementById("opened")?.textContent || "{}");
}
