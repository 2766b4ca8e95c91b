import type { ItemId } from "@deputy/kit";
import type { StoredEvent } from "../canonical-event.ts";
import type { LogItem } from "../log/event-log.ts";
import type { AssistantDelta } from "../wire/transient-event.ts";
import { openSampleStream, type SampleStream } from "./sample-stream.ts";

/** A run as a live subscriber sees it: stored events in order, with the deltas of each text before it. */
export interface PlayedRun {
  readonly live: readonly LogItem[];
  readonly stored: readonly StoredEvent[];
}

export type Written = AssistantDelta["itemType"];
export type Step =
  | { readonly kind: "text"; readonly type: Written; readonly text: string; readonly spans: readonly Span[] }
  /** The model call broke off: pieces were shown, and nothing was stored. */
  | {
      readonly kind: "abandoned";
      readonly type: Written;
      readonly text: string;
      readonly spans: readonly Span[];
    }
  | { readonly kind: "cell"; readonly check: "fits" | "rejected" | "retried"; readonly approval: boolean }
  | { readonly kind: "call"; readonly settled: boolean }
  | { readonly kind: "error" };
export type Span = readonly [from: number, to: number];
export type End = "turn.completed" | "turn.failed" | "turn.aborted" | "open";

export function playRun(steps: readonly Step[], end: End): PlayedRun {
  const stream = openSampleStream();
  const live: LogItem[] = [];
  const store = (event: StoredEvent): void => void live.push({ kind: "event", event });
  store(stream.event("user.message"));
  store(stream.event("turn.started"));
  for (const one of steps) playStep(stream, one, store, (delta) => live.push({ kind: "delta", delta }));
  if (end !== "open") store(stream.event(end));
  return { live, stored: live.flatMap((item) => (item.kind === "event" ? [item.event] : [])) };
}

function playStep(
  stream: SampleStream,
  one: Step,
  store: (event: StoredEvent) => void,
  publish: (delta: AssistantDelta) => void,
): void {
  const { ids, data } = stream;
  if (one.kind === "error") return store(stream.event("error"));
  if (one.kind === "text" || one.kind === "abandoned") {
    const itemId: ItemId = ids.next("item");
    for (const [from, to] of one.spans)
      publish(stream.delta(itemId, one.type, from, one.text.slice(from, to)));
    if (one.kind === "text") store(stream.event(`assistant.${one.type}`, { itemId, text: one.text }));
    return;
  }
  const callId = ids.next("call");
  if (one.kind === "call") {
    store(stream.event("call.requested", { ...data["call.requested"], callId }));
    if (one.settled) store(stream.event("call.settled", { ...data["call.settled"], callId }));
    return;
  }
  const cellId = ids.next("cell");
  store(stream.event("cell.submitted", { ...data["cell.submitted"], cellId }));
  if (one.check !== "fits") store(stream.event("cell.checked", { ...data["cell.checked"], cellId }));
  if (one.check === "rejected") return;
  if (one.approval) {
    store(stream.event("approval.requested", { ...data["approval.requested"], approvalId: callId }));
    store(stream.event("approval.resolved", { ...data["approval.resolved"], approvalId: callId }));
  }
  store(stream.event("cell.completed", { ...data["cell.completed"], cellId }));
}
