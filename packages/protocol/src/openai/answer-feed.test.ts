import { createIdSource, createSystemClock } from "@deputy/kit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { StreamEvent, StreamPayload } from "../wire/stream-event.ts";
import { type AnswerPart, createAnswerFeed } from "./answer-feed.ts";

const ids = createIdSource({ clock: createSystemClock() });
const run = ids.next("turn");
let seq = 0;

function event(payload: StreamPayload): StreamEvent {
  seq += 1;
  return {
    event_id: String(seq),
    run_id: run,
    seq,
    at: "2026-01-01T00:00:00Z",
    trace: { thread_id: "t" },
    payload,
  };
}

const start = (id: string, type: "message" | "reasoning" = "message") =>
  event({ type: "item_start", item_id: id, item_type: type });
const delta = (id: string, offset: number, text: string) =>
  event({ type: "item_delta", item_id: id, offset, text });
const done = (id: string, text: string, role: "user" | "assistant" = "assistant") =>
  event({
    type: "item_done",
    item_id: id,
    final_item: { type: "message", id, role, status: "completed", text },
  });
const usage = { inputTokens: 1, outputTokens: 2, modelCalls: 1 };

function feedAll(events: readonly StreamEvent[]): readonly AnswerPart[] {
  const feed = createAnswerFeed();
  return events.flatMap(feed);
}
const textIn = (parts: readonly AnswerPart[]): string =>
  parts.map((part) => (part.kind === "text" ? part.text : "")).join("");

test("[P41] messages are told apart, the user's not at all, and the end last", () => {
  const parts = feedAll([
    done("u", "Say two things", "user"),
    start("a"),
    delta("a", 0, "One"),
    delta("a", 3, "."),
    done("a", "One."),
    start("r", "reasoning"),
    delta("r", 0, "secret thoughts"),
    start("b"),
    done("b", "Two."),
    event({ type: "response_done", usage, cost: null }),
  ]);
  expect(textIn(parts)).toBe("One.\n\nTwo.");
  expect(parts.at(-1)).toEqual({ kind: "done", usage });
  expect(parts.filter(({ kind }) => kind !== "text")).toHaveLength(1);
});

test("[P41] however pieces repeat, overlap or are lost, the text is the message", () => {
  const piece = fc.tuple(fc.nat(20), fc.nat(20));
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 20 }),
      fc.array(piece, { maxLength: 30 }),
      (text, cuts) => {
        const deltas = cuts.map(([from, length]) => {
          const offset = Math.min(from, text.length);
          return delta("a", offset, text.slice(offset, offset + length));
        });
        expect(textIn(feedAll([start("a"), ...deltas, done("a", text), done("a", text)]))).toBe(text);
      },
    ),
    { numRuns: 500 },
  );
});

test("[P41] a run that fails or is stopped ends with why", () => {
  const error = { code: "model_failed", message: "The provider is down" };
  expect(feedAll([event({ type: "response_error", status: "failed", error, usage: null })])).toEqual([
    { kind: "failed", status: "failed", ...error },
  ]);
});

const asked = (input: unknown, preview: object = { title: "Send a mail" }, toolPath = "mail.send") => {
  const approvalId = ids.next("call");
  const id = `${approvalId}:approval`;
  const args = { approval_id: approvalId, tool_path: toolPath, input, preview };
  const call = { type: "function_call" as const, id, call_id: id, name: "approval", arguments: args };
  return { approvalId, id, event: event({ type: "item_done", item_id: id, final_item: call }) };
};

test("[P42] a question is told with everything it says, and how to answer; so is the answer", () => {
  const preview = {
    title: "Send a mail",
    reasons: ["the address came from a web page"],
    details: "To one person",
    changes: [{ path: "a.txt", diff: "-old\n+new" }],
  };
  const { approvalId, id, event: question } = asked({ to: "ada@example.org" }, preview);
  const resolved = {
    type: "function_call_output" as const,
    id: `${id}:output`,
    call_id: id,
    output: "approved",
  };
  const text = textIn(
    feedAll([
      question,
      event({ type: "item_done", item_id: `${id}:output`, final_item: { ...resolved, status: "succeeded" } }),
      done("a", "Sent."),
    ]),
  );
  for (const part of [
    "? Send a mail\n  mail.send\n",
    "came from a web page",
    "To one person",
    "+new",
    "to: ada@example.org",
  ])
    expect(text).toContain(part);
  expect(text).toContain(`\`deputy approvals approve ${approvalId}\``);
  expect(text).toContain(`\`deputy approvals deny ${approvalId}\``);
  expect(text.endsWith("\n\nApproved.\n\nSent.")).toBe(true);
});

test("[P42] a plan is told call by call", () => {
  const calls = [1, 2].map((n) => ({
    callId: ids.next("call"),
    toolPath: "mail.send",
    input: { n },
    preview: { title: `Mail ${n}` },
  }));
  const text = textIn(feedAll([asked({ calls, unforeseen: 3 }, { title: "Two mails" }, "plan").event]));
  expect(text).toMatch(/mail\.send × 2[^]*1\. n: 1[^]*2\. n: 2[^]*│ Mail \{n\}[^]*3 more/);
});

test("[P42] nothing in a question can hide, or end its code block", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("`", "```", "\n", "x", "\u202e", "\u200b", "\r", "<b>", "[a](b)") }),
      (title) => {
        const text = textIn(feedAll([asked({ title }, { title }).event]));
        expect(text).not.toMatch(/[\u202e\u200b\r]/);
        const [, fence = ""] = /^Waiting for your approval:\n\n(`{3,})\n/.exec(text) ?? [];
        const [, inside = "", after = ""] = text.split(new RegExp(`(?:^|\\n)${fence}(?:\\n|$)`));
        expect(inside).not.toContain(fence);
        expect(after).toMatch(/^\nAnswer with/);
      },
    ),
  );
});

test("[P42] a tool's own call that looks like a question is none", () => {
  const call = { type: "function_call" as const, id: "c", call_id: "c", name: "approval", arguments: {} };
  expect(feedAll([event({ type: "item_done", item_id: "c", final_item: call })])).toEqual([]);
});
