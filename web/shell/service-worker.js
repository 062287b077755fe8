/**
 * Keeps a release whole for visits without a network. The build puts RELEASE before this text:
 * `version`, and the `files` that belong to it.
 *
 * A new release is fetched entirely beside the old one and takes its place when no page of the old
 * one is open any more, so a page never gets half of each. `?reset` leaves all of this, whatever
 * state it is in.
 */

const PREFIX = "autograd-playground ";
const { version, files } = /** @type {{version: string, files: string[]}} */ (self.RELEASE);
const CACHE = PREFIX + version;
const here = new URL("./", self.location.href);
const known = new Set(files.map((file) => new URL(file, here).href));

self.addEventListener("install", (event) => event.waitUntil(fetchRelease()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== here.origin) return;
  if (request.mode === "navigate" && isPage(url)) event.respondWith(page(url));
  else if (known.has(bare(url))) event.respondWith(kept(bare(url), request));
});

/** Fetches every file; what has a hash in its name may come from the browser's own cache. */
async function fetchRelease() {
  const cache = await caches.open(CACHE);
  try {
    for (const url of known) {
      const hashed = new URL(url).pathname.includes("/assets/");
      const response = await fetch(url, { cache: hashed ? "force-cache" : "reload" });
      if (!response.ok) throw new Error(`${url}: ${response.status}`);
      await cache.put(url, response);
    }
  } catch (error) {
    await caches.delete(CACHE);
    throw error;
  }
}

/** From now on this release answers, and the older ones go. */
async function takeOver() {
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
  }
  await self.clients.claim();
}

/** @param {URL} url */
const isPage = (url) => [here.href, new URL("index.html", here).href].includes(bare(url));

/** @param {URL} url */
const bare = (url) => url.href.replace(/[?#].*/, "");

/** @param {URL} url @returns {Promise<Response>} */
async function page(url) {
  const index = new URL("index.html", here).href;
  if (!url.searchParams.has("reset")) return kept(index, new Request(index));
  for (const name of await caches.keys()) {
    if (name.startsWith(PREFIX)) await caches.delete(name);
  }
  await self.registration.unregister();
  return fetch(index, { cache: "reload" });
}

/** @param {string} url @param {Request} request */
async function kept(url, request) {
  return (await caches.match(url, { cacheName: CACHE })) ?? fetch(request);
}
