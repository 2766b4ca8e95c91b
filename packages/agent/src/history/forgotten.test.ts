import { type CallId, createIdSource, createSystemClock } from "@deputy/kit";
import { createRedactor } from "@deputy/secrets";
import { createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createApprovalsReader } from "../approvals/approvals-reader.ts";
import { createLogApprovalDesk } from "../approvals/log-approval-desk.ts";
import { createLogSessionService } from "../sessions/session-service.ts";

const hash = "ab".repeat(32);

function setup() {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  return { clock, ids, log };
}

test("[A155] an answer that was given long ago still counts, and cannot be given anew", async () => {
  const { clock, ids, log } = setup();
  const desk = createLogApprovalDesk({ log, clock, ids, redactor: createRedactor([]) });
  const stream = ids.next("session");
  const asked: CallId[] = [];
  for (let n = 0; n < 300; n++) {
    const approvalId = ids.next("call");
    asked.push(approvalId);
    const question = { approvalId, toolPath: "a.b", input: [n], preview: { title: "?" }, bindingHash: hash };
    await log.append(stream, [{ type: "approval.requested", data: question }]);
    const answer = { approvalId, decision: "denied", by: "ann", scope: "once" } as const;
    if (n !== 1) await log.append(stream, [{ type: "approval.resolved", data: answer }]);
  }
  const [oldest, open] = asked;
  if (oldest === undefined || open === undefined) throw new Error("Nothing was asked");
  expect(await desk.answered(oldest)).toMatchObject({ decision: "denied", by: "ann" });
  expect(await desk.wait(oldest, new AbortController().signal)).toMatchObject({ by: "ann" });
  expect(await desk.resolve(oldest, { decision: "approved" }, "bob")).toEqual({
    kind: "already_resolved",
    decision: "denied",
  });
  expect(await desk.resolve(ids.next("call"), { decision: "approved" }, "bob")).toEqual({ kind: "unknown" });
  // However many were answered since, a question stays open.
  expect((await desk.pending()).map(({ id }) => id)).toEqual([open]);
  const reader = createApprovalsReader({ log, clock });
  expect(await reader.find(oldest)).toMatchObject({ id: oldest, status: "denied" });
  expect(await reader.find(open)).toMatchObject({ id: open, status: "pending" });
});

test("[A155] a task's session of long ago is found by its id, and conversations stay in the list", async () => {
  const { ids, log } = setup();
  const sessions = createLogSessionService({ log, ids });
  const chat = await sessions.start({ key: "web--1", agentId: "main", channel: "web" });
  const streams = Array.from({ length: 1_100 }, () => ids.next("session"));
  for (const stream of streams) {
    const taskId = ids.next("task");
    await log.append(stream, [
      { type: "session.started", data: { agentId: "main", key: `task:${taskId}`, channel: "task" } },
      { type: "task.created", data: { taskId, kind: "one-shot", prompt: "Look", agentId: "main" } },
    ]);
  }
  const [first] = streams;
  if (first === undefined) throw new Error("There is none");
  expect(await sessions.find(first)).toMatchObject({ id: first, isTask: true, turns: 0 });
  expect(await sessions.find(ids.next("session"))).toBeUndefined();
  expect(await sessions.list({ limit: 5_000 })).toHaveLength(1_001);
  const [listed] = await sessions.list({ which: "conversations" });
  expect(listed?.id).toBe(chat.id);
});
