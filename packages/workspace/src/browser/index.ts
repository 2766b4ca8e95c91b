// A workspace in a browser. What a page lets somebody do with it does not belong here.
export { createOpfsShadowStore } from "./opfs-shadow-store.ts";
export type { OpfsDirectory, OpfsFile, SyncHandle, WebLocks } from "./opfs.ts";
