import { expect, test } from "vitest";
import type { EventType } from "../canonical-event.ts";
import { projectTaskEvents } from "./project-task-events.ts";
import type { TaskEvent } from "../wire/task-event.ts";
import { eventTypes, openSampleStream } from "../test/sample-stream.ts";

const status = (message: string): TaskEvent => ({ type: "status", message });

function setup() {
  const stream = openSampleStream();
  const tell = (type: EventType, change: object = {}): readonly TaskEvent[] =>
    projectTaskEvents(stream.raw(type, { ...stream.data[type], ...change }, stream.turnId));
  return { stream, tell };
}

test("[P10] what each event says", () => {
  const { stream, tell } = setup();
  const { callId } = stream.data["call.settled"];
  const { code } = stream.data["cell.submitted"];
  const table: Partial<Record<EventType, readonly TaskEvent[]>> = {
    "task.created": [status("Task created")],
    "task.scheduled": [status("Scheduled for 2026-03-01T09:00:00.000Z")],
    "task.fired": [status("Due now: on time")],
    "task.skipped": [status("Skipped what was due at 2026-03-01T09:00:00.000Z: the machine was asleep")],
    "task.paused": [status("Paused")],
    "task.resumed": [status("Resumed")],
    "task.edited": [status("Changed")],
    "task.cancelled": [status("Cancelled")],
    "task.completed": [{ type: "completed" }],
    "turn.started": [status("Thinking (rehearsal/tour)")],
    "turn.failed": [{ type: "error", error: "The model did not answer" }],
    "turn.aborted": [status("Stopped by ada: changed my mind")],
    "assistant.message": [{ type: "agent_message", text: "Closed 12 issues." }],
    error: [{ type: "error", error: "The budget is spent" }],
    "session.imported": [],
    "session.compacted": [status("Summarised the earlier conversation")],
    "cell.submitted": [{ type: "code_generated", code }],
    "cell.checked": [status("The code did not typecheck (attempt 1): Did you mean 'close'?")],
    "cell.suspended": [],
    "cell.resumed": [status("Continuing: approved")],
    "plan.proposed": [status("Planned 1 call")],
    "approval.requested": [
      {
        type: "approval_request",
        id: callId,
        toolPath: "github.issues.close",
        input: { issueNumber: 7 },
        preview: { title: "Close acme/shop#7", details: "The number came from mail" },
        card: {
          title: "Close acme/shop#7",
          groups: [
            {
              toolPath: "github.issues.close",
              count: 1,
              same: [],
              calls: [
                {
                  number: 1,
                  title: "Close acme/shop#7",
                  parts: [
                    { kind: "value", name: "issueNumber", text: "7" },
                    { kind: "words", text: "The number came from mail" },
                  ],
                },
              ],
            },
          ],
          why: [],
        },
      },
    ],
    "approval.resolved": [{ type: "approval_resolved", id: callId, decision: "approved" }],
    "call.progress": [status("github.issues.close: Waiting for GitHub")],
    "call.settled": [
      {
        type: "tool_result",
        id: callId,
        toolPath: "github.issues.close",
        status: "succeeded",
        preview: "acme/shop#7 is closed",
      },
    ],
  };
  for (const type of eventTypes) expect(tell(type), type).toEqual(table[type] ?? []);
});

test("[P10] a turn stopped without a reason, a cell that failed, a result that is an error", () => {
  const { tell } = setup();
  expect(tell("turn.aborted", { reason: undefined })).toEqual([status("Stopped by ada")]);
  expect(tell("cell.completed", { error: { code: "threw", message: "issue 7 is gone" } })).toEqual([
    status("The code failed: issue 7 is gone"),
  ]);
  expect(tell("cell.completed", { error: { code: "aborted", message: "The cell was stopped" } })).toEqual([]);
  const error = { code: "not_found", message: "No such issue" };
  expect(tell("call.settled", { status: "failed", preview: undefined, error })).toMatchObject([
    { status: "failed", preview: "No such issue" },
  ]);
  expect(tell("call.settled", { status: "denied", preview: undefined })[0]).not.toHaveProperty("preview");
});

test("[P10] one event may stand for many times that were skipped", () => {
  const { tell } = setup();
  const untilAt = "2026-03-08T09:00:00.000Z";
  expect(tell("task.skipped", { untilAt, count: 8, reason: "missed: too long ago" })).toEqual([
    status(`Skipped 8 times that were due from 2026-03-01T09:00:00.000Z to ${untilAt}: missed: too long ago`),
  ]);
});

test("[P11] a call whose outcome is unknown has failed, as far as a TaskEvent can say", () => {
  const { tell } = setup();
  expect(tell("call.settled", { status: "unknown" })).toMatchObject([
    { type: "tool_result", status: "failed", preview: "outcome unknown" },
  ]);
});

test("[P12] completed comes last, and from no other event", () => {
  const { tell } = setup();
  for (const outcome of ["succeeded", "failed", "cancelled"])
    expect(tell("task.completed", { outcome }).at(-1)).toEqual({ type: "completed" });
  expect(tell("task.completed", { outcome: "failed" })).toEqual([
    status("The task failed"),
    { type: "completed" },
  ]);
  for (const type of eventTypes.filter((other) => other !== "task.completed"))
    expect(tell(type)).not.toContainEqual({ type: "completed" });
});

test("[P13] a plan is one approval request", () => {
  const { stream, tell } = setup();
  const planId = stream.ids.next("plan");
  const input = { calls: [{ toolPath: "mail.send", input: { to: "ada" } }] };
  expect(tell("approval.requested", { approvalId: planId, toolPath: "plan", input })).toMatchObject([
    { type: "approval_request", id: planId, toolPath: "plan", input },
  ]);
  expect(tell("approval.resolved", { approvalId: planId, decision: "denied" })).toEqual([
    { type: "approval_resolved", id: planId, decision: "denied" },
  ]);
  expect(tell("plan.proposed", { calls: [] })).toEqual([status("Planned 0 calls")]);
});

test("[P14] code that typechecks is not worth a word", () => {
  const { tell } = setup();
  expect(tell("cell.checked", { diagnostics: [] })).toEqual([]);
  expect(tell("cell.checked", { attempt: 3 })).toEqual([
    status("The code did not typecheck (attempt 3): Did you mean 'close'?"),
  ]);
});

test("[P35] the user's own program: its log and result are told, and its failure by the turn alone", () => {
  const { tell } = setup();
  expect(tell("cell.completed", { author: "user", logs: ["a", "b"], result: { n: 1 } })).toEqual([
    status("Log: a\nb"),
    { type: "agent_message", text: '{\n  "n": 1\n}' },
  ]);
  expect(tell("cell.completed", { author: "user", logs: [], result: undefined })).toEqual([]);
  const error = { code: "threw", message: "issue 7 is gone" };
  expect(tell("cell.completed", { author: "user", logs: [], result: undefined, error })).toEqual([]);
  expect(tell("cell.checked", { author: "user" })).toEqual([]);
});

test("[P38] a single call is told by its name and input, not by the program made of it", () => {
  const { tell } = setup();
  const call = { name: "search_tools", input: { query: "close issues" } };
  expect(tell("cell.submitted", { call })).toEqual([status('Calling search_tools {"query":"close issues"}')]);
  const long = tell("cell.submitted", { call: { name: "note", input: "x".repeat(10_000) } });
  expect(long).toEqual([status(`Calling note "${"x".repeat(499)}…`)]);
});
