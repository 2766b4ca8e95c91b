import { CodedError } from "@deputy/kit";
import { EventLogError } from "@deputy/protocol";
import {
  type Durability,
  createTransaction,
  type Database,
  sqliteFailureOf,
  type Transaction,
} from "@deputy/sqlite";

/** Group commit: everything submitted in one turn of the event loop shares one transaction and one sync. */
export interface CommitQueue {
  /**
   * Runs `work` inside a transaction and resolves with its result once that is committed. A coded error from
   * `work`, which must come before its first write, rejects only this call. Any other failure rejects the
   * whole transaction with `storage_full`, `log_missing`, or, for good, `log_failed`.
   */
  submit<T>(durability: Durability, work: () => T): Promise<T>;
  /** Commits what waits, then refuses everything with `log_closed`. Idempotent. */
  close(): void;
  /** Refuses everything with `log_failed` from now on. */
  fail(cause: unknown): void;
  readonly failed: boolean;
  /** Why an append would be refused now, or the last one was; undefined if all is well. */
  trouble(): EventLogError | undefined;
}

interface Waiting {
  readonly durability: Durability;
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  /** The result of the work, or why it was refused. */
  value: unknown;
  refused: CodedError<string> | undefined;
}

export function createCommitQueue(deps: {
  readonly transaction: LogTransaction;
  readonly limits: { readonly batchAppends: number };
  /** Why nothing may be written now, if so. Called before a transaction writes anything. */
  readonly check: () => EventLogError | undefined;
  /** Called inside the transaction, after all work. */
  readonly beforeCommit: () => void;
  /** Called after COMMIT and before appends resolve. If it throws, the log fails. */
  readonly afterCommit: (durability: Durability) => void;
  /** Called after all appends are settled; must not throw. */
  readonly announce: () => void;
  readonly rolledBack: () => void;
  /** Called once when the log has failed for good; must not throw. */
  readonly onFailed: (error: EventLogError) => void;
}): CommitQueue {
  const { transaction } = deps;
  const waiting: Waiting[] = [];
  let scheduled = false;
  let refusal: EventLogError | undefined;
  let lastRefused: EventLogError | undefined;

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(flush);
  };
  const flush = (): void => {
    scheduled = false;
    if (waiting.length === 0) return;
    const batch = waiting.splice(0, deps.limits.batchAppends);
    if (waiting.length > 0) schedule();
    if (refusal === undefined) commitBatch(batch);
    else for (const one of batch) one.reject(refusal);
  };

  const failForGood = (failure: EventLogError): void => {
    if (refusal !== undefined) return;
    refusal = failure;
    deps.onFailed(failure);
  };
  const refuse = (batch: readonly Waiting[], failure: EventLogError): void => {
    if (failure.code === "log_failed") failForGood(failure);
    lastRefused = failure;
    for (const one of batch) one.reject(failure);
  };
  const failureOf = (cause: unknown, isCommitted: boolean): EventLogError => {
    const failure = commitFailure(cause, "unknown");
    if (isCommitted || failure.code !== "log_failed") return failure;
    return transaction.writeOver() ? commitFailure(cause, "no") : failure;
  };
  const commitBatch = (batch: readonly Waiting[]): void => {
    const trouble = deps.check();
    if (trouble !== undefined) return refuse(batch, trouble);
    const durability = batch.some((one) => one.durability === "full") ? "full" : "relaxed";
    let isCommitted = false;
    try {
      transaction.begin(durability);
      for (const one of batch) run(one);
      deps.beforeCommit();
      transaction.commit();
      isCommitted = true;
      deps.afterCommit(durability);
    } catch (cause) {
      transaction.rollback();
      deps.rolledBack();
      return refuse(batch, failureOf(cause, isCommitted));
    }
    lastRefused = undefined;
    for (const one of batch) {
      if (one.refused === undefined) one.resolve(one.value);
      else one.reject(one.refused);
    }
    deps.announce();
  };

  return {
    submit<T>(durability: Durability, work: () => T) {
      if (refusal !== undefined) return Promise.reject(refusal);
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      waiting.push({ durability, work, resolve, reject, value: undefined, refused: undefined });
      schedule();
      return promise as Promise<T>;
    },
    close() {
      while (waiting.length > 0) flush();
      refusal ??= new EventLogError("log_closed", "The log is closed");
    },
    fail(cause) {
      failForGood(commitFailure(cause, "no"));
    },
    trouble: () =>
      refusal ?? deps.check() ?? (lastRefused?.code === "storage_full" ? lastRefused : undefined),
    get failed() {
      return refusal?.code === "log_failed";
    },
  };
}

function run(one: Waiting): void {
  try {
    one.value = one.work();
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    one.refused = error;
  }
}

/** A transaction of the log. */
export interface LogTransaction extends Transaction {
  /**
   * Called after a commit that failed and was rolled back. The commit is still in the write-ahead log, where
   * the next opening would take it as committed. Overwrites it, without a sync. False if that failed.
   */
  writeOver(): boolean;
}

export function createLogTransaction(db: Database): LogTransaction {
  const transaction = createTransaction(db);
  return {
    ...transaction,
    writeOver() {
      try {
        transaction.begin("none");
        db.exec("INSERT OR REPLACE INTO facts VALUES ('shutdown', 'failed')");
        transaction.commit();
        return true;
      } catch {
        transaction.rollback();
        return false;
      }
    },
  };
}

const OPENED_ANEW =
  "Check the disk. A daemon reopens the log and continues by itself; anything else must be restarted.";

/**
 * Why a transaction did not commit. `storage_full`: nothing of it was kept, and writing may continue once
 * there is room. Anything else: it is unknown what the disk holds, so nothing may be acknowledged any more (a
 * sync that failed once may succeed the next time without having written). `kept` says whether the next
 * opening may still find the transaction.
 */
function commitFailure(cause: unknown, kept: "no" | "unknown"): EventLogError {
  if (sqliteFailureOf(cause) === "full") {
    return new EventLogError("storage_full", "The disk is full; nothing of this was written", {
      cause,
      hint: "Free some space; the log then goes on by itself.",
    });
  }
  if (cause instanceof EventLogError && cause.code === "log_missing") {
    const message =
      "The log's file was taken away while this was being written; whether it was kept is unknown";
    return new EventLogError("log_failed", message, {
      cause,
      hint: "Put the file back (mv, not cp); a daemon then goes on by itself, anything else has to be started again. `deputy audit verify` says whether all is there.",
    });
  }
  if (cause instanceof EventLogError) return cause;
  const what = kept === "no" ? "nothing of this was kept" : "whether this was kept is unknown";
  return new EventLogError("log_failed", `The disk refused a write; ${what}`, { cause, hint: OPENED_ANEW });
}
