import type { IdSource } from "@deputy/kit";
import type { EventData, EventType } from "../canonical-event.ts";

const sha256 = "ab".repeat(32);
const at = "2026-03-01T09:00:00.000Z";
const label = { trust: "untrusted", source: "mail" } as const;
const changeSet = { changeSet: "chg_1", added: 1, modified: 2, deleted: 0, sha256 };
const auth = { who: "token", from: "127.0.0.1", route: "/ws", how: "bearer", client: "curl/8" };
const schedule = {
  kind: "cron",
  expression: "0 9 * * 1-5",
  zone: "Europe/Vienna",
  misfire: { kind: "once" },
  catchUpMs: 86_400_000,
  overlap: "skip",
  jitterMs: 0,
} as const;
const outbox = { channel: "telegram", conversation: "42", messageRef: "m1" };

/** A payload of every event type, as full as its schema allows. */
export function sampleData(ids: IdSource): { readonly [T in EventType]: EventData<T> } {
  const [taskId, cellId, callId] = [ids.next("task"), ids.next("cell"), ids.next("call")];
  const grantId = ids.next("grant");
  const [reminderId, turnId] = [ids.next("reminder"), ids.next("turn")];
  return {
    "retention.pruned": { what: "blobs", count: 1, reason: "nothing refers to them", blobIds: [sha256] },
    "session.started": {
      agentId: "main",
      key: "terminal--default",
      channel: "cli",
      forkedFrom: { stream: ids.next("session"), throughSeq: 12 },
    },
    "user.message": {
      text: "Close the stale issues",
      attachments: [{ blobId: "b1", mimeType: "image/png", name: "screen.png" }],
      channel: "cli",
      sender: "ada",
      trust: "user",
    },
    "session.imported": {},
    "session.compacted": {
      fromSeq: 1,
      throughSeq: 9,
      summary: "Earlier: …",
      archive: "log:ses_1#1-9",
      keptSeqs: [8],
      labels: [{ trust: "untrusted", source: "mail" }],
      model: "rehearsal/tour",
      usage: { inputTokens: 900, outputTokens: 120, modelCalls: 1 },
    },
    "event.erased": { eventId: ids.next("event"), seq: 3, payloadHash: sha256, by: "ada", reason: "private" },
    error: { code: "budget_exceeded", message: "The budget is spent" },
    "turn.started": { agentId: "main", model: "rehearsal/tour", owner: "process 1", epoch: 1 },
    "turn.claimed": { owner: "process 2", epoch: 2, lost: true },
    "turn.suspended": { epoch: 2 },
    "turn.completed": {
      usage: { inputTokens: 900, outputTokens: 120, cacheReadTokens: 800, modelCalls: 2 },
      cost: { amount: 0.01, currency: "USD" },
    },
    "turn.failed": { code: "model_unreachable", message: "The model did not answer" },
    "turn.aborted": { by: "ada", reason: "changed my mind" },
    "assistant.message": { itemId: ids.next("item"), text: "Closed 12 issues." },
    "assistant.reasoning": { itemId: ids.next("item"), text: "They want…", opaque: '{"sig":"x"}' },
    "cell.submitted": {
      cellId,
      language: "typescript",
      code: 'await tools.github.issues.close({ owner: "acme", repo: "shop", issueNumber: 7 });',
      sha256,
      providerCallId: "toolu_1",
    },
    "cell.checked": {
      cellId,
      diagnostics: [{ line: 2, column: 7, code: "TS2551", message: "Did you mean 'close'?" }],
      attempt: 1,
    },
    "cell.suspended": { cellId, why: "approval of github.issues.close", checkpoint: "ckp_1" },
    "cell.resumed": { cellId, why: "approved", checkpoint: "ckp_1" },
    "cell.completed": {
      cellId,
      result: { closed: 12 },
      logs: ["closing 7"],
      operations: [
        {
          fn: "github.issues.close",
          args: [{ issueNumber: 7 }],
          result: { state: "closed" },
          durationMs: 80,
        },
      ],
    },
    "call.requested": {
      callId,
      index: 0,
      toolPath: "github.issues.close",
      input: { owner: "acme", repo: "shop", issueNumber: 7 },
      inputHash: sha256,
      labels: [label],
    },
    "call.decided": { callId, decision: "ask", rule: "destructive", provenance: ["owner came from mail"] },
    "approval.requested": {
      approvalId: callId,
      toolPath: "github.issues.close",
      input: { issueNumber: 7 },
      preview: { title: "Close acme/shop#7", details: "The number came from mail" },
      bindingHash: sha256,
      expiresAt: at,
    },
    "approval.resolved": { approvalId: callId, decision: "approved", by: "ada", scope: "once" },
    "call.started": { callId, toolPath: "github.issues.close", idempotencyKey: "key" },
    "call.progress": { callId, toolPath: "github.issues.close", message: "Waiting for GitHub" },
    "call.settled": {
      callId,
      toolPath: "github.issues.close",
      status: "succeeded",
      preview: "acme/shop#7 is closed",
      attachments: [],
      labels: [label],
      durationMs: 80,
    },
    "plan.proposed": {
      planId: ids.next("plan"),
      cellId,
      calls: [{ toolPath: "github.issues.close", input: { issueNumber: 7 }, inputHash: sha256 }],
    },
    "grant.created": { grantId, scope: "session", bindings: [{ toolPath: "mail.send" }], expiresAt: at },
    "grant.revoked": { grantId, by: "ada" },
    "task.created": {
      taskId,
      kind: "recurring",
      prompt: "Every day at 9",
      agentId: "main",
      schedule: "0 9 * * *",
      plugins: ["/home/ada/lamp.ts"],
    },
    "task.scheduled": { taskId, dueAt: at },
    "task.fired": { taskId, dueAt: at, reason: "on time" },
    "task.skipped": { taskId, dueAt: at, reason: "the machine was asleep" },
    "task.cancelled": { taskId, by: "ada" },
    "task.completed": { taskId, outcome: "succeeded" },
    "workspace.imported": changeSet,
    "workspace.changed": changeSet,
    "workspace.committed": changeSet,
    "workspace.reverted": changeSet,
    "memory.indexed": { sources: ["MEMORY.md"], chunks: 4 },
    "memory.recalled": { query: "tea", hits: [{ source: "MEMORY.md", score: 0.8 }] },
    "memory.written": { source: "MEMORY.md", diff: "+ likes tea" },
    "memory.forgotten": { sources: ["MEMORY.md"], removed: 1, by: "ada" },
    "auth.accepted": auth,
    "auth.rejected": { ...auth, reason: "wrong token", unrecorded: 12 },
    "net.request": {
      method: "GET",
      host: "example.org",
      status: 200,
      requestBytes: 10,
      responseBytes: 900,
      durationMs: 30,
      verdict: "allow",
    },
    "hook.received": {
      hookId: "4f1c",
      hook: "builds",
      deliveryId: "msg_1",
      scheme: "standard",
      event: "build",
      contentType: "application/json",
      bytes: 18,
      sha256,
      payload: { state: "failed" },
      label: { trust: "untrusted", source: "hook:builds" },
    },
    "outbox.queued": outbox,
    "outbox.sent": { ...outbox, providerId: "77" },
    "outbox.failed": { ...outbox, reason: "blocked" },
    "cron.added": { reminderId, name: "Standup", text: "Stand up", schedule, agentId: "main", from: "ses_1" },
    "cron.updated": { reminderId, isEnabled: false },
    "cron.removed": { reminderId, from: "ses_1" },
    "cron.fired": { reminderId, dueAt: at, reason: "on time" },
    "cron.skipped": { reminderId, dueAt: at, reason: "missed", count: 2, untilAt: at },
    "system.noted": { ref: `${reminderId} ${at}`, source: "cron", text: "Stand up", agentId: "main" },
    "heartbeat.began": { kind: "cron", agentId: "main", refs: [`${reminderId} ${at}`] },
    "heartbeat.skipped": { agentId: "main", reason: "HEARTBEAT.md asks for nothing" },
    "heartbeat.ended": { turn: turnId, outcome: "told", messageRef: "heartbeat" },
  };
}
