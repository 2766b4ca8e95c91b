// What commands do with a log that is not running: moving sessions between homes, repair.
export { exportStream } from "./export-stream.ts";
export { type Imported, importStream } from "./import-stream.ts";
export { type RepairOutcome, repairSqliteStore } from "./repair-sqlite-store.ts";
