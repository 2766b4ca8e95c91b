// What commands do with a log that is not running: moving sessions between homes, repair.
export { exportStream } from "./session-files/export-stream.ts";
export { type Imported, importStream } from "./session-files/import-stream.ts";
export { type RepairOutcome, repairSqliteStore } from "./soundness/repair-sqlite-store.ts";
