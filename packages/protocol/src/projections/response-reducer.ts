import type { TurnId } from "@deputy/kit";
import type { OutputItem, OutputItemType } from "../wire/output-item.ts";
import type { Response } from "../wire/response.ts";
import type { StreamEvent, StreamPayload } from "../wire/stream-event.ts";
import { createTextAssembly } from "./text-assembly.ts";

/**
 * Makes one run's StreamEvents into its Response. A join: the same events in any order, any number of
 * times, give the same Response. Where two events speak of the same thing, the later `seq` counts.
 */
export interface ResponseReducer {
  /** Passes over events of other runs. Never throws. */
  apply(event: StreamEvent): void;
  /** A snapshot; undefined before the first event of the run. */
  response(): Response | undefined;
}

export function createResponseReducer(runId: TurnId): ResponseReducer {
  const items = new Map<string, ItemReducer>();
  let threadId: string | undefined;
  let start: Seen<"response_start"> | undefined;
  let end: Seen<"response_done" | "response_error"> | undefined;

  const itemOf = (id: string): ItemReducer => {
    const known = items.get(id);
    if (known !== undefined) return known;
    const item = createItemReducer(id);
    items.set(id, item);
    return item;
  };

  return {
    apply({ run_id, seq, at, trace, payload }) {
      if (run_id !== runId) return;
      threadId = trace.thread_id;
      if (payload.type === "response_start") start = later(start, { seq: seq ?? 0, at, payload });
      else if (payload.type === "response_done" || payload.type === "response_error")
        end = later(end, { seq: seq ?? 0, at, payload });
      else itemOf(payload.item_id).apply(seq, payload);
    },
    response() {
      if (threadId === undefined) return undefined;
      const failed = end?.payload.type === "response_error" ? end.payload : undefined;
      return {
        id: runId,
        thread_id: threadId,
        agent_id: start?.payload.agent_id ?? null,
        model: start?.payload.model ?? null,
        status: end === undefined ? "in_progress" : (failed?.status ?? "completed"),
        output: outputOf(items, end === undefined ? "current" : "complete"),
        usage: end?.payload.usage ?? null,
        cost: end?.payload.type === "response_done" ? end.payload.cost : null,
        error: failed?.error ?? null,
        started_at: start?.at ?? null,
        finished_at: end?.at ?? null,
      };
    },
  };
}

interface Seen<Type extends StreamPayload["type"]> {
  readonly seq: number;
  readonly at: string;
  readonly payload: Extract<StreamPayload, { readonly type: Type }>;
}

function later<S extends { readonly seq: number }>(known: S | undefined, seen: S): S {
  return known === undefined || seen.seq >= known.seq ? seen : known;
}

/** In the order of the log; items not in it yet come last, in the order of their ids. */
function outputOf(items: ReadonlyMap<string, ItemReducer>, which: "current" | "complete"): OutputItem[] {
  return [...items]
    .sort(([a, left], [b, right]) => compare(left.order(), right.order()) || compare(a, b))
    .flatMap(([, item]) => item[which]() ?? []);
}

function compare<V extends number | string>(a: V, b: V): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

type ItemPayload = Extract<StreamPayload, { readonly item_id: string }>;

/** One item of a response, put together from its start, pieces and end in any order and number. */
interface ItemReducer {
  /** The first `seq` that spoke of the item; infinite while only pieces of it are known. */
  order(): number;
  apply(seq: number | null, payload: ItemPayload): void;
  /** The item as its last end says. */
  complete(): OutputItem | undefined;
  /** The same, or else the text so far of an item that is still being written. */
  current(): OutputItem | undefined;
}

function createItemReducer(id: string): ItemReducer {
  const pieces = createTextAssembly();
  let order = Number.POSITIVE_INFINITY;
  let type: OutputItemType | undefined;
  let final: { readonly seq: number; readonly item: OutputItem } | undefined;

  return {
    order: () => order,
    apply(seq, payload) {
      if (seq !== null && seq < order) order = seq;
      if (payload.type === "item_start") type = payload.item_type;
      if (payload.type === "item_delta" && final === undefined) pieces.add(payload.offset, payload.text);
      if (payload.type === "item_done" && (seq ?? 0) >= (final?.seq ?? 0))
        final = { seq: seq ?? 0, item: payload.final_item };
    },
    complete: () => final?.item,
    current: () => final?.item ?? openItem(id, type, pieces.text()),
  };
}

function openItem(id: string, type: OutputItemType | undefined, text: string): OutputItem | undefined {
  if (type === "message") return { type, id, role: "assistant", status: "in_progress", text };
  if (type === "reasoning") return { type, id, status: "in_progress", text };
  return undefined;
}
