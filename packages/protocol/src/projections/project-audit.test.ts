import { expect, test } from "vitest";
import type { EventType, StoredEvent } from "../canonical-event.ts";
import { type AuditEntry, auditNeedles, isAudited, projectAudit } from "./project-audit.ts";
import { eventTypes, openSampleStream } from "../test/sample-stream.ts";

test("[P39] everything is audited but how work went on", () => {
  expect(eventTypes.filter((type) => !isAudited(type)).sort()).toEqual([
    "assistant.reasoning",
    "call.progress",
    "cell.checked",
    "cell.resumed",
    "cell.suspended",
    "memory.applied",
    "memory.forgetting",
    "memory.indexed",
    "memory.recalled",
    "turn.claimed",
    "turn.facts",
    "turn.suspended",
  ]);
  expect(isAudited("cell.forked")).toBe(true);
});

test("[P40] what each event says", () => {
  const stream = openSampleStream();
  const table: Partial<Record<EventType, AuditEntry>> = {
    "session.started": { summary: "agent main, terminal--default, by cli" },
    "user.message": { who: "ada", summary: "cli: Close the stale issues" },
    "assistant.message": { who: "assistant", summary: "Closed 12 issues." },
    "event.erased": { who: "ada", summary: "event 3: private" },
    error: { summary: "budget_exceeded: The budget is spent" },
    "turn.aborted": { who: "ada", summary: "stopped: changed my mind" },
    "auth.accepted": { who: "token", summary: "from 127.0.0.1, /ws, bearer, curl/8" },
    "auth.rejected": {
      who: "token",
      summary: "from 127.0.0.1, /ws, bearer, curl/8, wrong token (and 12 more)",
    },
    "setup.changed": { who: "owner", summary: "sign in abc" },
    "channel.code": { summary: "telegram, until 2025-01-01T00:10:00.000Z" },
    "channel.paired": { who: "telegram 17", summary: "Ada" },
    "channel.unpaired": { summary: "telegram 17" },
    "channel.again": { summary: "telegram: answer" },
    "channel.posting": { summary: "telegram: answer 0" },
    "channel.posted": { summary: "telegram: answer 0 as 100" },
    "channel.shown": { summary: "telegram: answer" },
    "sandbox.ran": { summary: "bubblewrap: make: exit 137; more memory than it may have" },
    "net.request": { summary: "allow GET example.org: 200" },
    "hook.received": { who: "hook builds", summary: 'standard msg_1: {"state":"failed"}' },
    "memory.written": { who: "agent main", summary: "main/MEMORY.md: + likes tea" },
    "memory.applied": { summary: "written" },
    "memory.forgotten": { who: "ada", summary: "1 lines of notes, 2 events, 1 pieces of the index" },
  };
  const said = Object.keys(table).map((type) => [type, projectAudit(stream.event(type as EventType))]);
  expect(Object.fromEntries(said)).toEqual(table);
});

test("[P40] an event of a call names its tool where it can, and what became of it", () => {
  const { event, data } = openSampleStream();
  const { toolPath, input } = data["call.requested"];
  expect(projectAudit(event("call.requested"))).toEqual({ toolPath, summary: JSON.stringify(input) });
  expect(projectAudit(event("approval.requested"))).toMatchObject({ toolPath });
  for (const status of ["succeeded", "failed", "denied", "unknown"] as const) {
    const settled = projectAudit(event("call.settled", { ...data["call.settled"], status }));
    expect([settled.toolPath, settled.summary.startsWith(status)]).toEqual([toolPath, true]);
  }
  const resolved = projectAudit(
    event("approval.resolved", { ...data["approval.resolved"], by: "owner", decision: "denied" }),
  );
  expect([resolved.who, resolved.summary.startsWith("denied")]).toEqual(["owner", true]);
});

test("[P40] how a program went on is told in words", () => {
  const { event, data } = openSampleStream();
  const checked = (messages: readonly string[]): string => {
    const diagnostics = messages.map((message) => ({ line: 1, column: 1, code: "TS2304", message }));
    return projectAudit(event("cell.checked", { ...data["cell.checked"], diagnostics })).summary;
  };
  expect(checked([])).toBe("nothing is wrong with it");
  expect(checked(["no such name", "no such type"])).toBe("no such name; no such type");
  const { why } = data["cell.suspended"];
  expect(projectAudit(event("cell.suspended")).summary).toBe(why);
  expect(projectAudit(event("cell.resumed")).summary).toBe(data["cell.resumed"].why);
});

test("[P40] a task's schedule is told in words, and each of its times", () => {
  const { event, data } = openSampleStream();
  const timing = { kind: "cron", expression: "30 17 * * 1-5", zone: "Europe/Vienna" } as const;
  const rest = { misfire: { kind: "once" }, catchUpMs: 0, overlap: "skip", jitterMs: 0 } as const;
  const created = (schedule: (typeof data)["task.created"]["schedule"]): string =>
    projectAudit(event("task.created", { ...data["task.created"], prompt: "Tidy up", schedule })).summary;
  expect(created({ ...timing, ...rest })).toBe("Tidy up (on weekdays at 17:30, Europe/Vienna)");
  expect(created("0 9 * * *")).toBe("Tidy up (0 9 * * *)");
  const at = { kind: "at", at: "2026-03-01T09:00:00.000Z", zone: "Mars/Base" } as const;
  expect(created({ ...at, ...rest })).toContain('"Mars/Base"');
  expect(created({ ...timing, ...rest, expression: "whenever" })).toContain('"whenever"');
  const slot = { ...data["task.skipped"], reason: "missed: too long ago" };
  expect(projectAudit(event("task.fired", { ...data["task.fired"], reason: "on time" })).summary).toBe(
    "due at 2026-03-01T09:00:00.000Z: on time",
  );
  expect(projectAudit(event("task.skipped", slot)).summary).toBe(
    "due at 2026-03-01T09:00:00.000Z: missed: too long ago",
  );
  expect(
    projectAudit(event("task.skipped", { ...slot, count: 8, untilAt: "2026-03-08T09:00:00.000Z" })).summary,
  ).toBe(
    "due at 2026-03-01T09:00:00.000Z and on until 2026-03-08T09:00:00.000Z, 8 times: missed: too long ago",
  );
});

test("[P40] every event has an entry, and stays as it is", () => {
  const stream = openSampleStream();
  const odd = [
    stream.raw("cell.forked", { much: ["new"] }),
    stream.raw("user.message", { text: 7 }),
    stream.raw("user.message", "text"),
    stream.raw("user.message", null),
  ];
  const every: readonly StoredEvent[] = [...eventTypes.map((type) => stream.event(type)), ...odd];
  for (const event of every) {
    const before = structuredClone(event);
    expect(typeof projectAudit(Object.freeze(event)).summary).toBe("string");
    expect(event).toEqual(before);
  }
  expect(odd.map((event) => projectAudit(event).summary)).toEqual([
    '{"much":["new"]}',
    '{"text":7}',
    '"text"',
    "(erased)",
  ]);
});

test("[P40] whatever words of an entry somebody searches for, the needles for them are in its event", () => {
  const { event } = openSampleStream();
  for (const type of eventTypes) {
    const stored = event(type);
    const { who = "", toolPath = "", summary } = projectAudit(stored);
    const text = `${type}\n${JSON.stringify(stored.data)}`.toLowerCase();
    for (const words of [type, who, toolPath, summary, ...summary.split(/\s+/)]) {
      const { all, orTypes } = auditNeedles(words);
      const lost = orTypes.includes(type) ? [] : all.filter((needle) => !text.includes(needle));
      expect([type, words, lost]).toEqual([type, words, []]);
    }
  }
  expect(auditNeedles("Zebra-Crossing 日本 É 42 by 12345").all).toEqual([
    "zebra",
    "crossing",
    "日本",
    "12345",
  ]);
});
