import type { StoredEvent } from "@deputy/protocol";
import { expect, test } from "vitest";
import { type AuditFilter, createAuditFilter } from "./audit-filter.ts";

const hash = "ab".repeat(32);
const id = (kind: string, n: number): string =>
  `${kind}_01M7HA62M7W061ZWHMK4RDVR${n.toString().padStart(2, "0")}`;
let seq = 0;
const event = (type: string, data: unknown, at = "2026-03-01T12:00:00.000Z"): StoredEvent =>
  ({
    id: id("evt", 1),
    stream: "system",
    seq: ++seq,
    at,
    type,
    data,
    payloadHash: hash,
    prev: hash,
  }) as StoredEvent;

const calls = (tool: string, n: number): StoredEvent[] => [
  event("call.requested", {
    callId: id("cal", n),
    index: 0,
    toolPath: tool,
    input: {},
    inputHash: hash,
    labels: [],
  }),
  event("call.decided", { callId: id("cal", n), decision: "ask", rule: "r", provenance: [] }),
  event("approval.resolved", { approvalId: id("cal", n), decision: "approved", by: "owner", scope: "once" }),
];
const planned = (tools: readonly string[]): StoredEvent[] => {
  const list = tools.map((toolPath) => ({ toolPath, input: {}, inputHash: hash }));
  const preview = { title: "A plan" };
  const approvalId = id("pln", 1);
  return [
    event("plan.proposed", { planId: approvalId, cellId: id("cel", 1), calls: list }),
    event("approval.requested", {
      approvalId,
      toolPath: "plan",
      input: { calls: list },
      preview,
      bindingHash: hash,
    }),
    event("approval.resolved", { approvalId, decision: "approved", by: "owner", scope: "plan" }),
  ];
};

async function kept(filter: AuditFilter, events: readonly StoredEvent[]): Promise<string[]> {
  const entryOf = createAuditFilter(filter, async function* (later) {
    yield* events.slice(0, events.indexOf(later)).toReversed();
  });
  const found: string[] = [];
  for (const one of events.toReversed()) {
    const entry = await entryOf(one);
    if (entry !== undefined) found.unshift(`${one.type} ${entry.toolPath ?? ""}`.trim());
  }
  return found;
}

test("finds a tool by its path or its beginning, even in events that only name the call", async () => {
  const events = [
    ...calls("mail.send", 1),
    ...calls("mailbox.read", 2),
    event("error", { code: "x", message: "y" }),
  ];
  const ofMail = ["call.requested mail.send", "call.decided mail.send", "approval.resolved mail.send"];
  for (const tool of ["mail", "mail.send", "mail.*"]) expect(await kept({ tool }, events)).toEqual(ofMail);
  expect(await kept({ tool: "mai" }, events)).toEqual([]);
});

test("finds a plan by each of its tools", async () => {
  const events = planned(["mail.send", "notes.add"]);
  for (const tool of ["mail.send", "notes"]) expect(await kept({ tool }, events)).toHaveLength(3);
  expect(await kept({ tool: "calendar" }, events)).toEqual([]);
});

test("finds types in full or by prefix, and times from the first moment up to the last, exclusive", async () => {
  const at = (hour: number): string => `2026-03-01T${hour.toString().padStart(2, "0")}:00:00.000Z`;
  const events = [8, 9, 10].map((hour) => event("auth.rejected", { hour }, at(hour)));
  expect(await kept({ type: "auth" }, events)).toHaveLength(3);
  expect(await kept({ type: "auth.rejected" }, events)).toHaveLength(3);
  expect(await kept({ type: "auth.accepted" }, events)).toHaveLength(0);
  expect(await kept({ sinceMs: Date.parse(at(9)), untilMs: Date.parse(at(10)) }, events)).toHaveLength(1);
});
