/** What the page starts with: whose program it shows decides where it runs. */
import { readManifest } from "./assets.js";
import { Guest, isGuest } from "./frame/guest.js";
import { openHost } from "./frame/host.js";
import { isLink } from "./link/codec.js";
import { fromOptions, isForeign, PLAIN, readAddress } from "./link/opening.js";
import { isOneFile, keepAsOpened } from "./onefile/embedded.js";
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
} else if (self.origin !== "null" && !isOneFile() && asksForFrame()) {
  openHost(manifest, shell);
} else if (self.origin === "null" && location.protocol !== "file:" && !isOneFile()) {
  withoutOrigin();
} else if (asksForFrame()) {
  // One file: nothing is around it that would have to be guarded.
  startHere();
} else {
  startPage(manifest, { ...PLAIN, ...inThisFile() });
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
