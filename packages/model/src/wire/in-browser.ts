/** True in a page or a browser's worker, where SDKs require consent before they accept a key. */
export function isInBrowser(): boolean {
  return "document" in globalThis || "WorkerGlobalScope" in globalThis;
}
