import { expect, test } from "vitest";
import { eventRows } from "./event-rows.ts";
import { aboutEvent, EVENT_KINDS, EVENT_WORDS, wordsOfEvent } from "./event-words.ts";

test("[W1] every type of event has one kind to be found by", () => {
  const types = Object.keys(EVENT_WORDS);
  const kinds = Object.values(EVENT_KINDS).map((kind) => kind.types as readonly string[]);
  const found = (type: string): number =>
    kinds.filter((some) => some.includes(type.split(".", 1)[0] ?? "")).length;
  expect(types.filter((type) => found(type) !== 1)).toEqual([]);
});

test("[W10] a line of the feed has no ids, no instants of another zone, and says nothing twice", () => {
  const now = Date.parse("2026-11-17T12:00:00.000Z");
  const about = (type: string, summary: string): string => aboutEvent({ type, summary }, now);
  expect(about("task.paused", "paused")).toBe("");
  expect(about("call.started", "started")).toBe("");
  expect(about("session.started", "agent main, task:tsk_01, by task")).toBe(
    "for a task, with the agent main",
  );
  expect(about("turn.completed", '{"inputTokens":2400,"outputTokens":68}')).toBe(
    "2,400 tokens read, 68 written",
  );
  expect(about("turn.completed", '{"inputTok')).toBe('{"inputTok');
  const due = about("task.scheduled", "due next at 2026-11-19T09:00:00.000Z");
  expect(due).toMatch(/^\S+ \S+/);
  expect(due).not.toContain("due");
  expect(due).not.toContain("2026");
  expect(about("user.message", "ws: Hello\n  there")).toBe("Hello there");
  expect(about("call.decided", "allow by tool.auto")).toBe("allowed");
  expect(about("call.decided", "ask by tool.approval; it asks before every call.; And more.")).toBe(
    "asked you: it asks before every call. And more.",
  );
  expect(about("call.requested", '{"to":"ada@example.org","tags":["a","b"],"in":{"n":1}}')).toBe(
    "to: ada@example.org · tags: a, b · in: (n: 1)",
  );
  expect(about("call.requested", '{"to":"ada@example.org","te…')).toBe("to: ada@example.org …");
  expect(about("call.settled", 'succeeded: [{"id":1,"title":"A \\"b\\", c"},{"id":2,"ti…')).toBe(
    '(id: 1, title: A "b", c), (id: 2) …',
  );
  expect(about("turn.facts", "2026-11-17T12:00+00:00, UTC")).not.toContain("2026-11-17T");
  expect(about("call.settled", 'succeeded: "Sent"')).toBe("Sent");
  expect(about("call.settled", "failed: No such mailbox")).toBe("failed: No such mailbox");
  expect(about("turn.claimed", "owner 2")).toBe("after a restart");
  expect(about("plan.proposed", "mail.send, mail.send, notes.note")).toBe("mail.send × 2, notes.note");
  expect(about("approval.resolved", "approved for once: yes, please")).toBe("approved: yes, please");
  expect(about("grant.created", "session: mail.send, mail.send")).toBe(
    "mail.send × 2, this tool for this conversation",
  );
  expect(about("grant.created", "session: mail.send, notes.note")).toBe(
    "mail.send, notes.note, these tools for this conversation",
  );
  expect(about("grant.revoked", "grt_01hzy8k3n4q5r6s7t8v9w0x1y2")).toBe("");
  const id = "tsk_01hzy8k3n4q5r6s7t8v9w0x1y2";
  expect(about("cell.completed", `{"id":"${id}","runs":"daily","next":null}`)).toBe("runs: daily");
  expect(about("call.settled", `succeeded: {"runs":"daily","id":"tsk_01hzy8k3n4q5r6…`)).toBe("runs: daily …");
  const hash = "4f53cda18c2baa0c".repeat(4);
  expect(about("workspace.imported", `{"changeSet":"${hash}","added":3}`)).toBe("added: 3");
  expect(about("workspace.imported", `{"changeSet":"${hash}"}`)).toBe("");
  expect(about("user.message", "note: [Not written by the user; a note of Deputy's:] It is noon.")).toBe(
    "It is noon.",
  );
  expect(about("outbox.sent", "session ses_01hzy8k3n4q5r6s7t8v9w0x1y2: ")).toBe("to its conversation");
  expect(about("task.fired", "due at noon: owner asked for it")).toBe("due at noon: you asked for it");
  expect(about("hook.received", `github ${hash}: {"ref":"main","by":"ada"}`)).toBe("ref: main · by: ada");
  expect(
    about("auth.rejected", "from 127.0.0.1, POST /api/hooks/:token, hook builds, node, wrong_signature"),
  ).toBe("wrong signature · hook builds · node · from 127.0.0.1");
  const chrome =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Safari/537.36";
  expect(about("auth.accepted", `from 127.0.0.1, GET /ws, bearer, ${chrome}`)).toBe(
    "Chrome on Linux · from 127.0.0.1",
  );
  expect(about("auth.rejected", "from ::1, GET /ws, bearer, wrong_token (and 3 more)")).toBe(
    "wrong token (and 3 more) · from ::1",
  );
  expect(about("net.request", "allow POST example.org: 200")).toBe("POST example.org answered 200");
  expect(about("net.request", "deny GET 10.0.0.1: a private address")).toBe(
    "refused: GET 10.0.0.1: a private address",
  );
  expect(about("cell.checked", "nothing is wrong with it")).toBe("no errors");
});

test("[W10] a report that was refused is told from a sign-in that was", () => {
  const told = (summary: string): string => wordsOfEvent({ type: "auth.rejected", summary });
  expect(told("from 127.0.0.1, POST /api/hooks/:token, hook builds, wrong_signature")).toBe("Report refused");
  expect(told("from 127.0.0.1, GET /ws, bearer, wrong_token")).toBe("Sign-in refused");
});

test("[W30] what an event says is told a thing a row, without ids and hashes", () => {
  const data = {
    callId: "cal_01hzy8k3n4q5r6s7t8v9w0x1y2",
    toolPath: "mail.send",
    input: { to: "ada@example.org", lines: ["one", "two"] },
    inputHash: "a".repeat(64),
    hookId: "a".repeat(32),
    labels: [],
  };
  expect(eventRows(data)).toEqual([
    { name: "tool", text: "mail.send" },
    { name: "to", text: "ada@example.org" },
    { name: "lines", text: "one, two" },
  ]);
  expect(eventRows(null)).toEqual([]);
});
