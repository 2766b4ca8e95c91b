import { createHash } from "node:crypto";
import { createIdSource, createSystemClock, type IdSource } from "@deputy/kit";
import type { EventLog, NewEvent, StreamId } from "@deputy/protocol";
import { openSqliteStore } from "@deputy/store/sqlite";

/** Streams of one round are written in one transaction. */
const ROUND = 64;
const PROGRAM =
  'const found = await tools.mail.messages.list({ unread: true });\nreturn found.map((m) => m.subject).join("\\n");\n';

/**
 * Writes events straight into the log of a home, like a year of use: conversations with programs and calls,
 * ended tasks, notices, webhook deliveries. Everything in it has ended.
 */
export async function fillHome(directory: string, events: number): Promise<void> {
  const clock = createSystemClock();
  const ids = createIdSource({ clock });
  await using store = await openSqliteStore({ directory, clock, ids });
  let written = 0;
  const chats = Array.from({ length: 20 }, () => ids.next("session"));
  const begun = new Set<StreamId>();
  while (written < events) {
    const round = Array.from({ length: ROUND }, (_, n): readonly [StreamId, NewEvent[]] => {
      if (n % 8 < 3) return [deliveryStream(`${written} ${n}`), [delivery("builds", `${written} ${n}`)]];
      if (n % 8 < 5) return task(ids);
      const stream = chats[(written + n) % chats.length] ?? ids.next("session");
      const opening = begun.has(stream) ? [] : [sessionStarted(`terminal:${stream}`, "terminal")];
      begun.add(stream);
      return [stream, [...opening, ...turn(ids)]];
    });
    await appendAll(store.log, round);
    written += round.reduce((sum, [, added]) => sum + added.length, 0);
  }
}

/** Writes deliveries of one hook. */
export async function fillDeliveries(directory: string, hook: string, count: number): Promise<void> {
  const clock = createSystemClock();
  await using store = await openSqliteStore({ directory, clock, ids: createIdSource({ clock }) });
  for (let n = 0; n < count; n += 1000)
    await appendAll(
      store.log,
      Array.from({ length: Math.min(1000, count - n) }, (_, at) => {
        const key = `${hook} ${n + at}`;
        return [deliveryStream(key), [delivery(hook, key)]] as const;
      }),
    );
}

async function appendAll(log: EventLog, all: readonly (readonly [StreamId, readonly NewEvent[]])[]) {
  await Promise.all(all.map(([stream, events]) => log.append(stream, events, { durability: "relaxed" })));
}

function deliveryStream(key: string): StreamId {
  return `delivery:${createHash("sha256").update(key).digest("hex")}`;
}

function delivery(hook: string, deliveryId: string): NewEvent {
  const payload = {
    action: "completed",
    repository: { name: "acme/shop", url: "https://example.test/acme/shop" },
    build: {
      id: deliveryId,
      state: "passed",
      steps: ["lint", "types", "test"].map((name) => ({ name, ms: 1200 })),
    },
  };
  const sha256 = createHash("sha256").update(deliveryId).digest("hex");
  return {
    type: "hook.received",
    data: {
      hookId: `id-${hook}`,
      hook,
      deliveryId,
      scheme: "github",
      contentType: "application/json",
      bytes: 300,
      sha256,
      payload,
      label: { trust: "untrusted", source: `hook:${hook}` },
    },
  };
}

function sessionStarted(key: string, channel: string): NewEvent {
  return { type: "session.started", data: { agentId: "main", key, channel } };
}

function task(ids: IdSource): readonly [StreamId, NewEvent[]] {
  const taskId = ids.next("task");
  const prompt = "Look through what came in since yesterday, and list what needs an answer.";
  return [
    ids.next("session"),
    [
      sessionStarted(`task:${taskId}`, "task"),
      { type: "task.created", data: { taskId, kind: "one-shot", prompt, agentId: "main" } },
      ...turn(ids),
      { type: "task.completed", data: { taskId, outcome: "succeeded" } },
    ],
  ];
}

/** A message, a program with a call that was approved, and an answer. */
function turn(ids: IdSource): NewEvent[] {
  const [turnId, cellId, callId] = [ids.next("turn"), ids.next("cell"), ids.next("call")];
  const toolPath = "mail.messages.list";
  const sha256 = createHash("sha256").update(PROGRAM).digest("hex");
  const usage = { inputTokens: 1500, outputTokens: 200, modelCalls: 2 };
  const said = { channel: "terminal", sender: "owner", trust: "user" } as const;
  const answer = { usage, stop: "end", throughSeq: 1 };
  const preview = { title: "List unread mail" };
  const events: NewEvent[] = [
    { type: "user.message", data: { text: "What needs an answer today?", attachments: [], ...said } },
    { type: "turn.started", data: { agentId: "main", model: "rehearsal/tour" } },
    { type: "cell.submitted", data: { cellId, language: "typescript", code: PROGRAM, sha256 } },
    { type: "cell.checked", data: { cellId, diagnostics: [], attempt: 1 } },
    {
      type: "call.requested",
      data: { callId, cellId, index: 0, toolPath, input: [{ unread: true }], inputHash: sha256, labels: [] },
    },
    { type: "call.decided", data: { callId, decision: "ask", rule: "default", provenance: [] } },
    {
      type: "approval.requested",
      data: { approvalId: callId, toolPath, input: [{ unread: true }], preview, bindingHash: sha256 },
    },
    {
      type: "approval.resolved",
      data: { approvalId: callId, decision: "approved", by: "owner", scope: "once" },
    },
    { type: "call.started", data: { callId, toolPath, idempotencyKey: callId } },
    {
      type: "call.settled",
      data: {
        callId,
        cellId,
        toolPath,
        status: "succeeded",
        preview: "Invoice 4711, a question about the offer, the dentist".repeat(8),
        attachments: [],
        labels: [{ trust: "untrusted", source: toolPath }],
        durationMs: 12,
      },
    },
    { type: "cell.completed", data: { cellId, result: "three mails", logs: [], operations: [] } },
    {
      type: "assistant.message",
      data: { itemId: ids.next("item"), text: "Three mails do.".repeat(10), answer },
    },
    { type: "turn.completed", data: { usage } },
  ];
  return events.map((event) => Object.assign(event, { turnId }));
}
