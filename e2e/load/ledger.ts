/** What the daemon acknowledged, and what its clients were told: to be compared with the log afterwards. */
export interface Ledger {
  /** Messages by their text, which no other has; the run they were given to. */
  readonly messages: Map<string, string>;
  /** Tasks, with the events that a reader was told in several pieces. */
  readonly tasks: Map<string, readonly string[]>;
  /** Runs, with what a reader of `/api/v2/stream` was told in several pieces. */
  readonly runs: Map<string, readonly string[]>;
  /** Attachments by id, with what they hold. */
  readonly blobs: Map<string, Buffer>;
  /** How often each operation was carried out to its end. */
  readonly done: Map<string, number>;
  /** Requests that were refused because there was too much at once. */
  refused: number;
  cuts: number;
  readonly faults: string[];
}

export function openLedger(): Ledger {
  return {
    messages: new Map(),
    tasks: new Map(),
    runs: new Map(),
    blobs: new Map(),
    done: new Map(),
    refused: 0,
    cuts: 0,
    faults: [],
  };
}
