import { expect, test } from "vitest";
import type { EventType } from "../canonical-event.ts";
import { projectCard } from "../card/project-card.ts";
import { projectPushes } from "./project-pushes.ts";
import type { Push } from "../wire/push.ts";
import { eventTypes, openSampleStream } from "../test/sample-stream.ts";

function setup() {
  const stream = openSampleStream();
  const tell = (type: EventType, turnId?: typeof stream.turnId, change: object = {}): readonly Push[] => {
    const event = stream.raw(type, { ...stream.data[type], ...change }, turnId);
    return projectPushes({ kind: "event", event }).filter((push) => push.event !== "event");
  };
  return { stream, tell };
}

test("[P32] what each event pushes", () => {
  const { stream, tell } = setup();
  const runId = stream.turnId;
  const { itemId, text } = stream.data["assistant.message"];
  const { approvalId } = stream.data["approval.requested"];
  const table: Partial<Record<EventType, readonly Push[]>> = {
    "assistant.message": [{ event: "chat.delta", data: { runId, text, itemId, offset: 0 } }],
    "turn.completed": [{ event: "chat.final", data: { runId, usage: stream.data["turn.completed"].usage } }],
    "turn.failed": [{ event: "chat.error", data: { runId, message: "The model did not answer" } }],
    "turn.aborted": [{ event: "chat.error", data: { runId, message: "changed my mind" } }],
    "call.progress": [
      {
        event: "tool.progress",
        data: { runId, tool: "github.issues.close", message: "Waiting for GitHub" },
      },
    ],
    "approval.requested": [
      {
        event: "exec.approval_request",
        data: {
          approvalId,
          toolName: "github.issues.close",
          summary: "Close acme/shop#7",
          details: { issueNumber: 7 },
          explanation: "The number came from mail",
          card: projectCard(stream.data["approval.requested"]),
        },
      },
    ],
  };
  for (const type of eventTypes) expect(tell(type, runId), type).toEqual(table[type] ?? []);
});

test("[P32] without a turn only the approval request is pushed", () => {
  const { tell } = setup();
  for (const type of eventTypes)
    expect(
      tell(type).map((push) => push.event),
      type,
    ).toEqual(type === "approval.requested" ? ["exec.approval_request"] : []);
});

test("[P32] a stop without a reason, a request without details", () => {
  const { stream, tell } = setup();
  expect(tell("turn.aborted", stream.turnId, { reason: undefined })).toMatchObject([
    { data: { message: "Stopped by ada" } },
  ]);
  const [asked] = tell("approval.requested", stream.turnId, { preview: { title: "Close it" } });
  expect(asked?.data).not.toHaveProperty("explanation");
});

test("[P32] deltas of a message are pushed, those of reasoning are not", () => {
  const { stream } = setup();
  const itemId = stream.ids.next("item");
  expect(projectPushes({ kind: "delta", delta: stream.delta(itemId, "message", 3, "sed") })).toEqual([
    { event: "chat.delta", data: { runId: stream.turnId, text: "sed", itemId, offset: 3 } },
  ]);
  expect(projectPushes({ kind: "delta", delta: stream.delta(itemId, "reasoning", 3, "sed") })).toEqual([]);
});

test("[P33] every stored event is pushed as it is, after what it means for the chat", () => {
  const { stream } = setup();
  const events = [
    ...eventTypes.map((type) => stream.event(type)),
    stream.raw("cell.forked", { much: ["new"] }, stream.turnId),
    stream.raw("user.message", null),
    stream.raw("user.message", { text: 7 }),
  ];
  for (const event of events) {
    const pushes = projectPushes({ kind: "event", event });
    expect(pushes.at(-1)).toEqual({ event: "event", data: event });
    expect(pushes.at(-1)?.data).toBe(event);
    expect(pushes.filter((push) => push.event === "event")).toHaveLength(1);
  }
});

test("[P32] files of a result are pushed once the call has ended; without any there is nothing to push", () => {
  const { stream, tell } = setup();
  const { toolPath: tool, callId } = stream.data["call.settled"];
  const attachments = [{ blobId: "b1", mimeType: "image/png", name: "page.png" }];
  expect(tell("call.settled", stream.turnId, { attachments })).toEqual([
    { event: "tool.attachments", data: { runId: stream.turnId, tool, callId, attachments } },
  ]);
  expect(tell("call.settled", stream.turnId, { attachments: [] })).toEqual([]);
});
