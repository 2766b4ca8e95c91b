import type { ItemId, TurnId } from "@deputy/kit";
import type { StreamId } from "../canonical-event.ts";

/** A piece of an item still being written. Fanned out live, never stored, has no `seq`. */
export interface AssistantDelta {
  readonly type: "assistant.delta";
  readonly stream: StreamId;
  readonly turnId: TurnId;
  readonly at: string;
  readonly itemId: ItemId;
  readonly itemType: "message" | "reasoning";
  /** Where in the item's text this piece begins, in UTF-16 units; makes repeats and reordering harmless. */
  readonly offset: number;
  readonly text: string;
}
