// The event log in one SQLite database per home. Node only.
// What does not belong here: the tables, statements and files behind it; what only some commands do (see upkeep.ts).
export { findWriter } from "./database/writer-lock.ts";
export {
  type LogAnchor,
  openSqliteReader,
  type SqliteReader,
  type WalkedEvent,
} from "./open-sqlite-reader.ts";
export type { LogReads, SealedSource } from "./rows/log-reads.ts";
export type { OpenReport } from "./open-report.ts";
export { openSqliteStore, type SqliteStoreOptions } from "./open-sqlite-store.ts";
export type { CloseTurn, RepairReport } from "./soundness/repair.ts";
export type { SqliteStore } from "./sqlite-store.ts";
export { StoreError, type StoreErrorCode, storeErrorCodes } from "./store-error.ts";
export { defaultStoreLimits, type StoreLimits } from "./store-limits.ts";
