import { type Clock, createIdSource, type IdSource, type ItemId, type TurnId } from "@deputy/kit";
import type { AssistantDelta, EventLog, NewEvent, StoredEvent, StreamId } from "@deputy/protocol";
import { onTestFinished } from "vitest";
import { createFakeClock } from "../fake-clock.ts";

/** What a suite needs to open the tested log; a payload above `eventBytes` must be refused. */
export interface OpenLogDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly eventBytes: number;
}

export interface OpenedLog {
  readonly log: EventLog;
  close(): Promise<void>;
}

export type OpenLog = (deps: OpenLogDeps) => Promise<OpenedLog>;

/** The size above which the tested logs refuse a payload. */
export const EVENT_BYTES = 4096;

export interface LogSetup {
  readonly log: EventLog;
  readonly close: () => Promise<void>;
  readonly ids: IdSource;
  readonly session: StreamId;
  readonly signal: AbortSignal;
  readonly stop: () => void;
}

export async function setUpLog(open: OpenLog): Promise<LogSetup> {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const { log, close } = await open({ clock, ids, eventBytes: EVENT_BYTES });
  const stopper = new AbortController();
  onTestFinished(async () => {
    stopper.abort();
    await close();
  });
  return {
    log,
    close,
    ids,
    session: ids.next("session"),
    signal: stopper.signal,
    stop: () => stopper.abort(),
  };
}

export function message(text: string): NewEvent {
  return {
    type: "user.message",
    data: { text, attachments: [], channel: "web", sender: "ann", trust: "user" },
  };
}

export function turnStarted(turnId: TurnId): NewEvent {
  return { type: "turn.started", data: { agentId: "main", model: "rehearsal/tour" }, turnId };
}

export function reply(itemId: ItemId, turnId: TurnId, text: string): NewEvent {
  return { type: "assistant.message", data: { itemId, text }, turnId };
}

export function delta(
  stream: StreamId,
  item: { readonly itemId: ItemId; readonly turnId: TurnId },
  offset: number,
  text: string,
): AssistantDelta {
  const at = "2025-01-01T00:00:00.000Z";
  return { type: "assistant.delta", stream, ...item, at, itemType: "message", offset, text };
}

export function textOf(event: StoredEvent): string {
  return (event.data as { readonly text: string }).text;
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** The next `count` items of something that may never end. */
export async function take<T>(items: AsyncIterator<T>, count: number): Promise<T[]> {
  const taken: T[] = [];
  while (taken.length < count) {
    const next = await items.next();
    if (next.done === true) break;
    taken.push(next.value);
  }
  return taken;
}

export function iterate<T>(items: AsyncIterable<T>): AsyncIterator<T> {
  return items[Symbol.asyncIterator]();
}
