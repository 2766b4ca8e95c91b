// Log and blobs in memory: for an engine that is embedded, for browsers, and for tests. Portable.
export { createMemoryBlobStore } from "./memory-blob-store.ts";
export { createMemoryEventLog, type MemoryEventLog } from "./memory-event-log.ts";
export { sha256 } from "./sha256.ts";
