import { expect, test } from "vitest";
import { createTaskEndReducer } from "./task-end-reducer.ts";
import { taskDetailSchema } from "../wire/task-end.ts";
import { openSampleStream } from "../test/sample-stream.ts";

function setup() {
  const stream = openSampleStream();
  const { data, ids, raw } = stream;
  const reducer = createTaskEndReducer();
  const [cellId, providerCallId] = [ids.next("cell"), undefined];
  const apply = (type: keyof typeof data, change: object = {}): void =>
    reducer.apply(raw(type, { ...data[type], ...change }, stream.turnId));
  /** A call of the program; settled in another order than made, as calls side by side are. */
  const call = (index: number) => {
    const callId = ids.next("call");
    const of = { callId, cellId, toolPath: `t.c${index}` };
    apply("call.requested", { ...of, index, input: { index } });
    return (change: object = {}) => apply("call.settled", { ...of, durationMs: index, ...change });
  };
  return {
    stream,
    reducer,
    apply,
    call,
    submit: () => apply("cell.submitted", { cellId, providerCallId }),
    complete: (change: object) => apply("cell.completed", { cellId, author: "user", ...change }),
    cellId,
  };
}

test("[P36] a conversation's task has its last message", () => {
  const { apply, reducer } = setup();
  apply("cell.submitted");
  apply("cell.completed");
  apply("assistant.message", { text: "One moment." });
  apply("assistant.message", { text: "Done." });
  expect(reducer.end()).toBeUndefined();
  apply("task.completed");
  expect(reducer.end()).toEqual({ end: { message: "Done." }, resultIn: undefined });
});

test("[P36] a task that failed or was stopped says why", () => {
  const failed = setup();
  failed.apply("turn.failed");
  failed.apply("task.completed", { outcome: "failed" });
  expect(failed.reducer.end()?.end).toEqual({
    error: { code: "model_unreachable", message: "The model did not answer" },
  });
  const stopped = setup();
  stopped.apply("turn.aborted");
  stopped.apply("task.completed", { outcome: "cancelled" });
  expect(stopped.reducer.end()?.end).toEqual({ error: { code: "aborted", message: "Stopped by ada" } });
});

test("[P37] a program's task has result, logs and receipts in the order of its calls", () => {
  const { submit, apply, call, complete, reducer, cellId, stream } = setup();
  submit();
  apply("cell.checked", { cellId, diagnostics: [] });
  const [settleFirst, settleSecond] = [call(0), call(1)];
  settleSecond({ status: "denied", error: { code: "denied", message: "no" } });
  settleFirst();
  const operations = [
    { fn: "t.c0", args: [], result: "first", durationMs: 0 },
    { fn: "t.c1", args: [], durationMs: 1 },
  ];
  complete({ result: { n: 1 }, logs: ["seen"], operations, wholeResult: "journal" });
  apply("task.completed");
  const said = reducer.end();
  expect(said).toMatchObject({
    resultIn: cellId,
    end: {
      result: { n: 1 },
      logs: ["seen"],
      diagnostics: [],
      receipts: [
        { toolPath: "t.c0", status: "succeeded", input: { index: 0 }, result: "first" },
        { toolPath: "t.c1", status: "denied", input: { index: 1 }, error: { code: "denied" } },
      ],
    },
  });
  const task = { id: stream.data["task.created"].taskId, kind: "one-shot", status: "succeeded", prompt: "x" };
  const detail = { ...task, agentId: "exec", stream: stream.id, createdAt: "2026-03-01T09:00:00Z" };
  expect(taskDetailSchema.parse({ ...detail, ...said?.end })).toEqual({ ...detail, ...said?.end });
});

test("[P37] a program that did not typecheck has its diagnostics, and one that failed its line", () => {
  const rejected = setup();
  rejected.submit();
  rejected.apply("cell.checked", { cellId: rejected.cellId });
  rejected.apply("turn.failed", { code: "typecheck_failed", message: "It does not typecheck" });
  rejected.apply("task.completed", { outcome: "failed" });
  expect(rejected.reducer.end()?.end).toMatchObject({
    diagnostics: [{ line: 2, code: "TS2551" }],
    error: { code: "typecheck_failed" },
  });
  const failed = setup();
  failed.submit();
  const error = { code: "threw", message: "boom", line: 3 };
  failed.complete({ error, operations: [], result: undefined });
  failed.apply("turn.failed", { code: "threw", message: "line 3: boom" });
  failed.apply("task.completed", { outcome: "failed" });
  expect(failed.reducer.end()?.end.error).toEqual(error);
});

test("[P37] calls of an interrupted program have receipts without results", () => {
  const { submit, call, complete, apply, reducer } = setup();
  submit();
  call(0)({ status: "unknown" });
  call(1);
  complete({ operations: [], result: undefined, error: { code: "interrupted", message: "Deputy stopped" } });
  apply("task.completed", { outcome: "failed" });
  expect(reducer.end()?.end.receipts).toMatchObject([{ toolPath: "t.c0", status: "unknown" }]);
});
