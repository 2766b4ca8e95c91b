// The guarded way to the network: which addresses may be reached, how much is read, and pages as text. What
// does not belong here: what is requested, and anything that opens a socket (see ./node).
export { reasonOf } from "./read-bytes.ts";
export type { FetchLimits, GuardedFetch, NetAudit } from "./guarded-fetch.ts";
export { hostKind } from "./judge-url.ts";
export { judgeUrl, type Reach } from "./judge-url.ts";
export { limitToHosts } from "./limit-to-hosts.ts";
export { readBytes, readChunks } from "./read-bytes.ts";
