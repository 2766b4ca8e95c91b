import type { ItemId, TurnId } from "@deputy/kit";
import type { AssistantDelta, StoredEvent } from "@deputy/protocol";

export const openItemLimits = {
  /** Items of one stream; the oldest is forgotten first. */
  items: 64,
  /** UTF-16 units of one item; a longer one is no longer offered to those who join late. */
  textLength: 4 * 1024 * 1024,
} as const;

/** The text so far of what is being written in one stream. */
export interface OpenItems {
  readonly size: number;
  add(delta: AssistantDelta): void;
  /** Forgets the item that the event completes, or every item of the turn that it ends. */
  settle(event: StoredEvent): void;
  /** One delta per open item, from offset 0, with all of its text. */
  wholes(): readonly AssistantDelta[];
}

export function createOpenItems(limits: { readonly items: number; readonly textLength: number }): OpenItems {
  const open = new Map<ItemId, AssistantDelta>();

  const settleTurn = (turnId: TurnId | undefined): void => {
    for (const [itemId, whole] of open) {
      if (turnId === undefined || whole.turnId === turnId) open.delete(itemId);
    }
  };

  const settleItem = (data: unknown): void => {
    if (typeof data === "object" && data !== null && "itemId" in data) open.delete(data.itemId as ItemId);
  };

  return {
    get size() {
      return open.size;
    },
    add(delta) {
      const soFar = open.get(delta.itemId)?.text ?? "";
      // If the text before it is missing (the process restarted in between), there is no whole text to offer.
      if (delta.offset > soFar.length) return;
      const text = delta.offset === soFar.length ? soFar + delta.text : overlap(soFar, delta);
      if (text.length > limits.textLength) {
        open.delete(delta.itemId);
        return;
      }
      open.set(delta.itemId, { ...delta, offset: 0, text });
      const [oldest] = open.keys();
      if (open.size > limits.items && oldest !== undefined) open.delete(oldest);
    },
    settle(event) {
      switch (event.type) {
        case "assistant.message":
        case "assistant.reasoning":
          settleItem(event.data);
          return;
        case "turn.completed":
        case "turn.failed":
        case "turn.aborted":
          settleTurn(event.turnId);
          return;
        default:
      }
    },
    wholes: () => [...open.values()],
  };
}

/** A repeated piece adds only what goes beyond the text already known. */
function overlap(soFar: string, delta: AssistantDelta): string {
  return soFar + delta.text.slice(soFar.length - delta.offset);
}
