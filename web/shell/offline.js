/** Keeps the page for visits without a network, where the browser lets it. */

import { home } from "./site.js";

/** Whether this page is one that may be kept: not in a closed frame, not from a disk. */
const allowed = () =>
  self.origin !== "null" && window.isSecureContext && "serviceWorker" in navigator;

/** Once the page is up, so that keeping it delays nothing. `?reset` means to be rid of it. */
export async function keepForOffline() {
  if (!allowed() || new URLSearchParams(location.search).has("reset")) return;
  await navigator.serviceWorker.register(new URL("service-worker.js", home()));
}
