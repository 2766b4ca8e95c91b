import type { OutputItem, OutputItemType } from "./output-item.ts";
import type { StreamPayload } from "./stream-event.ts";
import { createTextAssembly } from "./text-assembly.ts";

type ItemPayload = Extract<StreamPayload, { readonly item_id: string }>;

/** One item of a response, put together from its start, pieces and end in any order and number. */
export interface ItemReducer {
  /** The first `seq` that spoke of the item; infinite while only pieces of it are known. */
  order(): number;
  apply(seq: number | null, payload: ItemPayload): void;
  /** The item as its last end says. */
  complete(): OutputItem | undefined;
  /** The same, or else the text so far of an item that is still being written. */
  current(): OutputItem | undefined;
}

export function createItemReducer(id: string): ItemReducer {
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
