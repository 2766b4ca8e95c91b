import {
  type Clock,
  createIdSource,
  type IdSource,
  type ItemId,
  type SessionId,
  type TurnId,
} from "@deputy/kit";
import {
  type EventData,
  eventDataSchemas,
  type EventOf,
  type EventType,
  isEventType,
  type StoredEvent,
} from "../canonical-event.ts";
import { FIRST_PREV } from "../log/event-chain.ts";
import type { AssistantDelta } from "../wire/transient-event.ts";
import { sampleData } from "./sample-data.ts";

/** A stream that hands out events as a log would store them. Hashes are not real. */
export interface SampleStream {
  readonly id: SessionId;
  readonly turnId: TurnId;
  readonly ids: IdSource;
  readonly data: { readonly [T in EventType]: EventData<T> };
  /** The next event of the stream, of the stream's turn. */
  event<T extends EventType>(type: T, data?: EventData<T>): EventOf<T>;
  /** The same, of any type and payload. */
  raw(type: string, data: unknown, turnId?: TurnId): StoredEvent;
  delta(itemId: ItemId, itemType: AssistantDelta["itemType"], offset: number, text: string): AssistantDelta;
}

export const eventTypes = Object.keys(eventDataSchemas).filter(isEventType);

export function openSampleStream(): SampleStream {
  let nowMs = 1_772_355_600_000;
  const clock: Clock = { now: () => ++nowMs, monotonicMs: () => nowMs, sleep: async () => {} };
  const ids = createIdSource({ clock, fillRandom: () => {} });
  const data = sampleData(ids);
  const id = ids.next("session");
  const turnId = ids.next("turn");
  const at = (): string => new Date(nowMs).toISOString();
  let seq = 0;

  const header = (turn: TurnId | undefined) => ({
    id: ids.next("event"),
    stream: id,
    seq: ++seq,
    at: at(),
    ...(turn === undefined ? {} : { turnId: turn }),
    payloadHash: "cd".repeat(32),
    prev: FIRST_PREV,
  });

  return {
    id,
    turnId,
    ids,
    data,
    event: (type, payload = data[type]) => ({ ...header(turnId), type, data: payload }),
    raw: (type, payload, turn) => ({ ...header(turn), type, data: payload }),
    delta: (itemId, itemType, offset, text) => ({
      type: "assistant.delta",
      stream: id,
      turnId,
      at: at(),
      itemId,
      itemType,
      offset,
      text,
    }),
  };
}
