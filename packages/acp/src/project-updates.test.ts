import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { createIdSource, createSystemClock, type ItemId } from "@deputy/kit";
import type { AssistantDelta, LogItem, NewEvent } from "@deputy/protocol";
import { createMemoryEventLog } from "@deputy/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createUpdateProjection } from "./project-updates.ts";

const clock = createSystemClock();
const ids = createIdSource({ clock });
const sha256 = "0".repeat(64);
const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };

/** What an editor gets for these events, from a real log. */
async function told(...events: readonly NewEvent[]): Promise<readonly SessionUpdate[]> {
  const log = createMemoryEventLog({ clock, ids });
  const stream = ids.next("session");
  await log.append(stream, events);
  const projection = createUpdateProjection();
  const stored = await Array.fromAsync(log.read(stream));
  return stored.flatMap((event) => projection.take({ kind: "event", event }));
}

const textsOf = (updates: readonly SessionUpdate[]): string => JSON.stringify(updates);

/** A text in pieces that overlap, repeat, get lost and come late. */
const streamed = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).chain((text) =>
  fc.record({
    text: fc.constant(text),
    cuts: fc.array(fc.tuple(fc.nat(text.length), fc.nat(text.length)), { maxLength: 12 }),
    kind: fc.constantFrom("message" as const, "reasoning" as const),
  }),
);

test("[E330] the chunks of a message add up to the message, for any deltas", async () => {
  const log = createMemoryEventLog({ clock, ids });
  await fc.assert(
    fc.asyncProperty(streamed, async ({ text, cuts, kind }) => {
      const stream = ids.next("session");
      const turnId = ids.next("turn");
      const itemId: ItemId = ids.next("item");
      const type = kind === "message" ? ("assistant.message" as const) : ("assistant.reasoning" as const);
      const [event] = await log.append(stream, [{ type, turnId, data: { itemId, text } }]);
      const deltas = cuts.map(([one, other]): LogItem => {
        const offset = Math.min(one, other);
        const piece = text.slice(offset, Math.max(one, other));
        const delta: AssistantDelta = {
          type: "assistant.delta",
          stream,
          turnId,
          at: "",
          itemId,
          itemType: kind,
          offset,
          text: piece,
        };
        return { kind: "delta", delta };
      });
      const projection = createUpdateProjection();
      const updates = [...deltas, { kind: "event" as const, event: event! }].flatMap((item) =>
        projection.take(item),
      );
      const wanted = kind === "message" ? "agent_message_chunk" : "agent_thought_chunk";
      const chunks = updates.map((update) => {
        if (update.sessionUpdate !== wanted || update.content.type !== "text") throw new Error("no chunk");
        expect(update.messageId).toBe(itemId);
        return update.content.text;
      });
      expect(chunks.join("")).toBe(text);
      for (const chunk of chunks) expect(chunk.isWellFormed()).toBe(text.isWellFormed());
    }),
  );
});

test("[E331] a program is a tool call with its text, followed by diagnostics and its outcome", async () => {
  const [rejected, good] = [ids.next("cell"), ids.next("cell")];
  const submitted = (cellId: typeof good, code: string): NewEvent => ({
    type: "cell.submitted",
    data: { cellId, language: "typescript", code, sha256, providerCallId: "1" },
  });
  const updates = await told(
    submitted(rejected, "nope("),
    {
      type: "cell.checked",
      data: {
        cellId: rejected,
        attempt: 1,
        diagnostics: [{ line: 1, column: 6, code: "TS1005", message: "')' expected." }],
      },
    },
    submitted(good, "return `\u202e```${1}`"),
    { type: "cell.checked", data: { cellId: good, attempt: 2, diagnostics: [] } },
    { type: "cell.completed", data: { cellId: good, result: { a: 1 }, logs: ["seen"], operations: [] } },
  );
  expect(updates).toMatchObject([
    { sessionUpdate: "tool_call", toolCallId: rejected, kind: "execute", status: "in_progress" },
    { sessionUpdate: "tool_call_update", toolCallId: rejected, status: "failed" },
    { sessionUpdate: "tool_call", toolCallId: good, status: "in_progress" },
    { sessionUpdate: "tool_call_update", toolCallId: good, status: "completed" },
  ]);
  expect(textsOf(updates.slice(1, 2))).toContain("1:6 TS1005 ')' expected.");
  const shown = textsOf(updates.slice(3));
  // Hidden characters are visible, and nothing in the program ends its block.
  expect(shown).toContain("````typescript\\nreturn `\\\\u{202e}```${1}`\\n````");
  expect(shown).toContain("seen");
  expect(shown).toContain('\\"a\\": 1');
});

test("[E331] a call goes from pending to its end; a cell with a single call is shown once", async () => {
  const cellId = ids.next("cell");
  const callId = ids.next("call");
  const updates = await told(
    {
      type: "cell.submitted",
      data: {
        cellId,
        language: "typescript",
        code: "made from it",
        sha256,
        providerCallId: "1",
        call: { name: "files_edit", input: {} },
      },
    },
    {
      type: "call.requested",
      data: {
        callId,
        cellId,
        index: 0,
        toolPath: "files.edit",
        input: { path: "notes/a.md", find: "old", replace: "new\u200b" },
        inputHash: sha256,
        labels: [],
      },
    },
    { type: "call.started", data: { callId, toolPath: "files.edit", idempotencyKey: "k" } },
    { type: "call.progress", data: { callId, toolPath: "files.edit", message: "half" } },
    {
      type: "call.settled",
      data: {
        callId,
        cellId,
        toolPath: "files.edit",
        status: "succeeded",
        preview: "done",
        attachments: [],
        labels: [],
        durationMs: 1,
      },
    },
    { type: "cell.completed", data: { cellId, result: null, logs: [], operations: [] } },
  );
  const diff = { type: "diff", path: "/workspace/notes/a.md", oldText: "old", newText: "new\\u{200b}" };
  expect(updates).toMatchObject([
    { sessionUpdate: "tool_call", toolCallId: callId, kind: "edit", status: "pending", content: [diff] },
    { sessionUpdate: "tool_call_update", status: "in_progress" },
    { sessionUpdate: "tool_call_update", content: [diff, { type: "content" }] },
    { sessionUpdate: "tool_call_update", toolCallId: callId, status: "completed", content: [diff, {}] },
  ]);
});

test("[E331] shows why a call could not be made", async () => {
  const cellId = ids.next("cell");
  const updates = await told(
    {
      type: "cell.submitted",
      data: {
        cellId,
        language: "typescript",
        code: "",
        sha256,
        providerCallId: "1",
        call: { name: "files_edit", input: { path: 7 } },
      },
    },
    {
      type: "cell.checked",
      data: {
        cellId,
        attempt: 1,
        diagnostics: [{ line: 1, column: 1, code: "NOT_RUN", message: "path must be text" }],
      },
    },
  );
  expect(updates).toMatchObject([
    { sessionUpdate: "tool_call", toolCallId: cellId, title: "files_edit" },
    { sessionUpdate: "tool_call_update", toolCallId: cellId, status: "failed" },
  ]);
  expect(textsOf(updates)).toContain("path must be text");
});

test("[E331] the end of a turn ends everything shown as running, and reports a failure", async () => {
  const cellId = ids.next("cell");
  const turnId = ids.next("turn");
  const program: NewEvent = {
    type: "cell.submitted",
    data: { cellId, language: "typescript", code: "1", sha256 },
  };
  const failed: NewEvent = { type: "turn.failed", turnId, data: { code: "x", message: "It broke.", usage } };
  expect((await told(program, failed)).slice(1)).toMatchObject([
    { sessionUpdate: "tool_call_update", toolCallId: cellId, status: "failed" },
    { sessionUpdate: "agent_message_chunk", content: { text: "It broke." } },
  ]);
  const aborted: NewEvent = { type: "turn.aborted", turnId, data: { by: "user" } };
  expect((await told(program, aborted)).slice(1)).toMatchObject([{ toolCallId: cellId, status: "failed" }]);
});

test("[E331] a plan is a list whose entries advance with their calls", async () => {
  const [first, second] = [ids.next("call"), ids.next("call")];
  const planned = [first, second].map((callId, n) => ({
    callId,
    toolPath: "mail.send",
    input: { n },
    inputHash: sha256,
  }));
  const updates = await told(
    {
      type: "plan.proposed",
      data: { planId: ids.next("plan"), cellId: ids.next("cell"), calls: planned },
    },
    { type: "call.started", data: { callId: first, toolPath: "mail.send", idempotencyKey: "k" } },
    { type: "call.started", data: { callId: ids.next("call"), toolPath: "x", idempotencyKey: "k" } },
  );
  const plans = updates.flatMap((update) => (update.sessionUpdate === "plan" ? [update.entries] : []));
  expect(plans.map((entries) => entries.map(({ status }) => status))).toEqual([
    ["pending", "pending"],
    ["in_progress", "pending"],
  ]);
  expect(plans[0]?.[1]?.content).toBe('mail.send {"n":1}');
});
