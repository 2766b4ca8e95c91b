import { expect, test } from "vitest";
import type { NewEvent, StoredEvent } from "@deputy/protocol";
import { readAll, setUpGate, sha256 } from "./agent.fixture.ts";
import { endInterruptedTurns } from "./interrupted-turns.ts";

async function setup() {
  const base = setUpGate();
  const { log, stream, turnId, cellId, ids } = base;
  const [running, waiting, settled] = [ids.next("call"), ids.next("call"), ids.next("call")];
  const requested = (callId: typeof running): NewEvent => ({
    type: "call.requested",
    turnId,
    data: {
      callId,
      cellId,
      index: 0,
      toolPath: "notes.write",
      input: {},
      inputHash: sha256("{}"),
      labels: [],
    },
  });
  await log.append(stream, [
    { type: "turn.started", turnId, data: { agentId: "main", model: "test/script" } },
    {
      type: "cell.submitted",
      turnId,
      data: { cellId, language: "typescript", code: "", sha256: sha256("") },
    },
    requested(running),
    {
      type: "call.started",
      turnId,
      data: { callId: running, toolPath: "notes.write", idempotencyKey: running },
    },
    requested(waiting),
    {
      type: "approval.requested",
      turnId,
      data: {
        approvalId: waiting,
        toolPath: "notes.write",
        input: {},
        preview: { title: "" },
        bindingHash: sha256(""),
      },
    },
    requested(settled),
    {
      type: "call.settled",
      turnId,
      data: {
        callId: settled,
        toolPath: "notes.write",
        status: "succeeded",
        attachments: [],
        labels: [],
        durationMs: 1,
      },
    },
  ]);
  const before = (await readAll(log, stream)).length;
  const added = async (): Promise<StoredEvent[]> => (await readAll(log, stream)).slice(before);
  return { ...base, added, running, waiting };
}

test("[A20] running calls are unknown, waiting ones are denied, the cell and the turn end", async () => {
  const { log, stream, added, running, waiting, cellId, approvals } = await setup();
  expect(await endInterruptedTurns(log)).toEqual([stream]);
  expect(await added()).toMatchObject([
    { type: "approval.resolved", data: { approvalId: waiting, decision: "denied", by: "deputy" } },
    { type: "call.settled", data: { callId: running, status: "unknown" } },
    { type: "call.settled", data: { callId: waiting, status: "failed", error: { code: "interrupted" } } },
    { type: "cell.completed", data: { cellId, error: { code: "interrupted" } } },
    { type: "turn.failed", data: { code: "interrupted" } },
  ]);
  expect(await approvals.pending()).toEqual([]);
});

test("[A20] doing it twice changes nothing", async () => {
  const { log, added } = await setup();
  await endInterruptedTurns(log);
  const once = await added();
  expect(await endInterruptedTurns(log)).toEqual([]);
  expect(await added()).toEqual(once);
});
