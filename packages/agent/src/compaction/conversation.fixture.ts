import { type CellId, createIdSource } from "@deputy/kit";
import type { ModelMessage } from "@deputy/model";
import { type CanonicalEvent, isTurnEndType, type NewEvent } from "@deputy/protocol";
import { createFakeClock } from "@deputy/testing";
import * as fc from "fast-check";
import { sha256 } from "../agent.fixture.ts";

const ids = createIdSource({ clock: createFakeClock() });
const stream = ids.next("session");

export const said = (text: string): NewEvent => ({
  type: "user.message",
  data: { text, attachments: [], channel: "test", sender: "me", trust: "user" },
});

/** Events as they lie in a log, numbered from 1. */
export function asStored(events: readonly NewEvent[]): CanonicalEvent[] {
  const at = "2026-03-01T09:00:00.000Z";
  const header = { id: ids.next("event"), stream, at, payloadHash: "0".repeat(64), prev: "0".repeat(64) };
  return events.map((event, n): CanonicalEvent => ({ ...header, ...event, seq: n + 1 }));
}

type CellKind = "program" | "call" | "script" | "own";
/** What happens next in a made-up session. A `done` ends one of the cells that are open then, if any is. */
type Happening =
  | { readonly kind: "said" | "reasoned" | "answered"; readonly text: string }
  | { readonly kind: "cells"; readonly cells: readonly CellKind[] }
  | { readonly kind: "done"; readonly which: number; readonly how: "completed" | "rejected" }
  | { readonly kind: "started" | "ended" | "failed" | "other" };

const text = fc.string({ maxLength: 40 });
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constantFrom("said", "reasoned", "answered"), text }),
  fc.record({
    kind: fc.constant("cells"),
    cells: fc.array(fc.constantFrom("program", "call", "script", "own"), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant("done"),
    which: fc.nat(5),
    how: fc.constantFrom("completed", "completed", "rejected"),
  }),
  fc.record({ kind: fc.constantFrom("started", "ended", "failed", "other") }),
);

/** Any session, also such as only a crash or a foreign log leaves behind. */
export const anyEvents: fc.Arbitrary<NewEvent[]> = fc
  .array(happening, { maxLength: 60 })
  .map((happenings) => happenings.flatMap(createTeller()));
export const anyConversation: fc.Arbitrary<CanonicalEvent[]> = anyEvents.map(asStored);

/** What a log takes: nothing of a turn follows its end. */
export function withoutAfterthoughts(events: readonly NewEvent[]): readonly NewEvent[] {
  const ended = new Set<string>();
  return events.filter(({ type, turnId }) => {
    if (turnId === undefined) return true;
    if (ended.has(turnId)) return false;
    if (isTurnEndType(type)) ended.add(turnId);
    return true;
  });
}

function createTeller(): (next: Happening) => NewEvent[] {
  const open: CellId[] = [];
  let turnId = ids.next("turn");
  const tell = (next: Exclude<Happening, { kind: "cells" | "done" }>): NewEvent => {
    if (next.kind === "started") turnId = ids.next("turn");
    const usage = { inputTokens: 1, outputTokens: 1, modelCalls: 1 };
    const item = { itemId: ids.next("item"), text: "text" in next ? next.text : "" };
    const failure = { code: "x", message: "x" };
    const table: Record<typeof next.kind, NewEvent> = {
      said: said(item.text),
      reasoned: { type: "assistant.reasoning", turnId, data: item },
      answered: { type: "assistant.message", turnId, data: item },
      started: { type: "turn.started", turnId, data: { agentId: "main", model: "test/x" } },
      ended: { type: "turn.completed", turnId, data: { usage } },
      failed: { type: "turn.failed", turnId, data: failure },
      other: { type: "error", data: failure },
    };
    return table[next.kind];
  };
  return (next) => {
    if (next.kind === "cells") return next.cells.map((kind) => submitted(kind, open));
    if (next.kind !== "done") return [tell(next)];
    const [cellId] = open.splice(next.which % Math.max(1, open.length), 1);
    if (cellId === undefined) return [];
    if (next.how === "completed")
      return [{ type: "cell.completed", turnId, data: { cellId, result: 1, logs: [], operations: [] } }];
    const diagnostics = [{ line: 1, column: 1, code: "TS1", message: "no" }];
    return [{ type: "cell.checked", turnId, data: { cellId, diagnostics, attempt: 1 } }];
  };
}

function submitted(kind: CellKind, open: CellId[]): NewEvent {
  const cellId = ids.next("cell");
  open.push(cellId);
  const data = { cellId, language: "typescript" as const, code: "return 1;", sha256: sha256("") };
  const carrier = kind === "own" ? {} : { providerCallId: `call ${cellId}` };
  const script = kind === "script" ? { isScript: true as const } : {};
  const call = kind === "call" ? { call: { name: "search_tools", input: {} } } : {};
  return { type: "cell.submitted", data: { ...data, ...carrier, ...script, ...call } };
}

/** What a provider would reject; empty when every call stands right before its result. */
export function unpaired(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message, at) => {
    const next = messages[at + 1];
    const before = messages[at - 1];
    if (message.role === "assistant") {
      const calls = callsOf(message);
      const results = next?.role === "tool" ? next.results.map(({ callId }) => callId) : [];
      return calls.filter((id) => !results.includes(id)).map((id) => `${id} has no result`);
    }
    if (message.role !== "tool") return [];
    const calls = before === undefined ? [] : callsOf(before);
    return message.results
      .filter(({ callId }) => !calls.includes(callId))
      .map(({ callId }) => `${callId} was not called`);
  });
}

function callsOf(message: ModelMessage): string[] {
  if (message.role !== "assistant") return [];
  return message.parts.flatMap((part) => (part.kind === "tool_call" ? [part.id] : []));
}
