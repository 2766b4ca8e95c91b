import { ownScript } from "./own-script.ts";

/** Keeps the page's files for the next visit, and opens notifications. Without https a browser has none: nothing is missed. */
export function registerServiceWorker(): void {
  navigator.serviceWorker
    ?.register(ownScript("/service-worker.js"), { updateViaCache: "none" })
    .catch(() => undefined);
}
