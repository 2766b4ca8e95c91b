import { EventLogError } from "@deputy/protocol";
import { expect, test } from "vitest";
import { createCommitQueue, type LogTransaction } from "./commit-queue.ts";

/** A queue over a transaction that records its calls and fails on demand. */
function setup(options: { readonly batchAppends?: number; readonly overwritable?: boolean } = {}) {
  const calls: string[] = [];
  const failures = new Map<string, Error>();
  const step = (name: string): void => {
    calls.push(name);
    const failure = failures.get(name);
    failures.delete(name);
    if (failure !== undefined) throw failure;
  };
  const transaction: LogTransaction = {
    begin: (durability) => step(`begin ${durability}`),
    commit: () => step("commit"),
    rollback: () => step("rollback"),
    writeOver() {
      calls.push("write over");
      return options.overwritable ?? true;
    },
  };
  const failed: EventLogError[] = [];
  const queue = createCommitQueue({
    transaction,
    limits: { batchAppends: options.batchAppends ?? 100 },
    check: () => undefined,
    beforeCommit: () => step("finish"),
    afterCommit: () => step("witness"),
    announce: () => step("announce"),
    rolledBack: () => step("reset"),
    onFailed: (error) => failed.push(error),
  });
  const work = (name: string) => () => {
    calls.push(name);
    return name;
  };
  return { calls, failures, failed, queue, work };
}

function sqliteError(errcode: number): Error {
  return Object.assign(new Error("SQLite says no"), { code: "ERR_SQLITE_ERROR", errcode });
}

const IOERR_FSYNC = 1034;
const FULL = 13;

test("[S4] appends of one event-loop turn share a transaction, and resolve after commit and witness", async () => {
  const { calls, queue, work } = setup();
  const told = Promise.all(
    ["a", "b", "c"].map((name) =>
      queue.submit("full", work(name)).then((value) => calls.push(`told ${value}`)),
    ),
  );
  expect(calls).toEqual([]);
  await told;
  expect(calls.join()).toBe("begin full,a,b,c,finish,commit,witness,announce,told a,told b,told c");
});

test("[S4] a full transaction leaves the rest to the next one", async () => {
  const { calls, queue, work } = setup({ batchAppends: 2 });
  await Promise.all(["a", "b", "c"].map((name) => queue.submit("full", work(name))));
  expect(calls.filter((call) => call === "commit" || call.length === 1)).toEqual([
    "a",
    "b",
    "commit",
    "c",
    "commit",
  ]);
});

test("[S4] refused work rejects without affecting the rest", async () => {
  const { queue, work } = setup();
  const refused = queue.submit("full", () => {
    throw new EventLogError("conflict", "no");
  });
  const other = queue.submit("full", work("other"));
  await expect(refused).rejects.toMatchObject({ code: "conflict" });
  await expect(other).resolves.toBe("other");
});

test("[S5] acknowledges nothing after a failed sync", async () => {
  const { calls, failures, queue, work } = setup();
  failures.set("commit", sqliteError(IOERR_FSYNC));
  const [a, b] = [queue.submit("full", work("a")), queue.submit("relaxed", work("b"))];
  await expect(a).rejects.toMatchObject({ code: "log_failed" });
  await expect(b).rejects.toMatchObject({ code: "log_failed" });
  expect(calls).toEqual(["begin full", "a", "b", "finish", "commit", "rollback", "reset", "write over"]);
  await expect(queue.submit("full", work("later"))).rejects.toMatchObject({ code: "log_failed" });
  expect(calls).not.toContain("later");
  expect(queue.failed).toBe(true);
});

test("[S43] overwrites what a failed sync refused, and the error says whether that worked", async () => {
  const refusalOf = async (overwritable: boolean, step: string) => {
    const { calls, failures, queue, work } = setup({ overwritable });
    failures.set(step, sqliteError(IOERR_FSYNC));
    const refused = await queue.submit("full", work("a")).catch((error: unknown) => error);
    return { message: (refused as Error).message, isWrittenOver: calls.includes("write over") };
  };
  expect(await refusalOf(true, "commit")).toEqual({
    message: "The disk refused a write; nothing of this was kept",
    isWrittenOver: true,
  });
  const unknown = "The disk refused a write; whether this was kept is unknown";
  expect(await refusalOf(false, "commit")).toEqual({ message: unknown, isWrittenOver: true });
  // By then it is committed, so there is nothing to overwrite.
  expect(await refusalOf(true, "witness")).toEqual({ message: unknown, isWrittenOver: false });
});

test("[S43] reports the log's failure once", async () => {
  const { failures, failed, queue, work } = setup();
  failures.set("commit", sqliteError(IOERR_FSYNC));
  await expect(queue.submit("full", work("a"))).rejects.toMatchObject({ code: "log_failed" });
  queue.fail(sqliteError(IOERR_FSYNC));
  await expect(queue.submit("full", work("b"))).rejects.toMatchObject({ code: "log_failed" });
  expect(failed.map(({ code }) => code)).toEqual(["log_failed"]);
});

test("[S5] also refuses what was already queued when the sync failed", async () => {
  const { failures, queue, work } = setup({ batchAppends: 1 });
  failures.set("witness", new Error("EIO"));
  const outcomes = await Promise.allSettled(["a", "b", "c"].map((name) => queue.submit("full", work(name))));
  expect(outcomes.map((one) => one.status === "rejected" && one.reason)).toEqual(
    Array(3).fill(expect.objectContaining({ code: "log_failed" })),
  );
});

test("[S5] a failed checkpoint also stops the log", async () => {
  const { queue, work } = setup();
  queue.fail(sqliteError(IOERR_FSYNC));
  await expect(queue.submit("full", work("a"))).rejects.toMatchObject({ code: "log_failed" });
});

test("[S6] a full disk refuses the transaction; the next one is tried again", async () => {
  const { calls, failures, queue, work } = setup();
  failures.set("commit", sqliteError(FULL));
  await expect(queue.submit("full", work("a"))).rejects.toMatchObject({ code: "storage_full" });
  expect(calls.slice(-2)).toEqual(["rollback", "reset"]);
  await expect(queue.submit("full", work("b"))).resolves.toBe("b");
  expect(queue.failed).toBe(false);
});

test("[S8] one `full` append makes the whole transaction durable", async () => {
  const { calls, queue, work } = setup();
  await Promise.all([queue.submit("relaxed", work("a")), queue.submit("full", work("b"))]);
  await Promise.all([queue.submit("relaxed", work("c")), queue.submit("relaxed", work("d"))]);
  expect(calls.filter((call) => call.startsWith("begin"))).toEqual(["begin full", "begin relaxed"]);
});
