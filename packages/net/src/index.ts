// The guarded way to the network: which addresses may be asked, how much is read, and pages as text.
// What does not belong here: what is asked for, and anything that opens a socket (see ./node).
export { reasonOf } from "./failure-reason.ts";
export type { FetchLimits, GuardedFetch, NetAudit } from "./guarded-fetch.ts";
export { hostKind } from "./host-kind.ts";
export { decodeReferences } from "./html/character-references.ts";
export { judgeUrl, type Reach } from "./judge-url.ts";
export { readBytes, readChunks } from "./read-bytes.ts";
