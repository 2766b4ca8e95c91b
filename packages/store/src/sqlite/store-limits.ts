/** Every bound of a store, by name. */
export interface StoreLimits {
  /** UTF-8 bytes of one event's payload. */
  readonly eventBytes: number;
  /** Bytes of one journal entry. */
  readonly journalEntryBytes: number;
  /** Appends written in one transaction. */
  readonly batchAppends: number;
  /** Streams whose head is kept in memory. */
  readonly cachedHeads: number;
  /** Pages in the write-ahead log after which they are moved into the database. */
  readonly checkpointPages: number;
  /** Last events whose chain is verified at every opening. */
  readonly tailEvents: number;
  /** Above this size of the database, `quick_check` is skipped after an unclean shutdown. */
  readonly quickCheckBytes: number;
}

export const defaultStoreLimits: StoreLimits = {
  eventBytes: 8 * 1024 * 1024,
  journalEntryBytes: 64 * 1024 * 1024,
  batchAppends: 1024,
  cachedHeads: 4096,
  checkpointPages: 2000,
  tailEvents: 200,
  quickCheckBytes: 512 * 1024 * 1024,
};
