/** A page or a browser's worker: SDKs want to be told that a key there is the user's own. */
export function isInBrowser(): boolean {
  return "document" in globalThis || "WorkerGlobalScope" in globalThis;
}
