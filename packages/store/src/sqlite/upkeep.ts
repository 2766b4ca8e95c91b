// What commands do with a log that is not running: moving sessions between homes, repair.
export { exportStream } from "./session-files/export-stream.ts";
export { readSessionFile, type SessionFile } from "./session-files/read-session-file.ts";
export { type RepairOutcome, repairSqliteStore } from "./soundness/repair-sqlite-store.ts";
