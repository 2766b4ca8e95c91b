import type { EventId, SessionId, TurnId } from "@deputy/kit";
import { z } from "zod";
import { auditEvents } from "./events/audit-events.ts";
import { callEvents } from "./events/call-events.ts";
import { cellEvents } from "./events/cell-events.ts";
import {
  channelEvents,
  cronEvents,
  heartbeatEvents,
  hookEvents,
  retentionEvents,
  workspaceEvents,
} from "./events/background-events.ts";
import { memoryEvents } from "./events/memory-events.ts";
import { sessionEvents, turnEvents } from "./events/session-events.ts";
import { idSchema, sha256Schema, timestampSchema } from "./events/shared.ts";
import { taskEvents } from "./events/task-events.ts";

/** Raised when a payload changes in a way older readers would misread; kept on each stream. */
export const EVENT_SCHEMA_VERSION = 1;

/** The payload schema of every stored event type. `assistant.delta` is transient and not here. */
export const eventDataSchemas = {
  ...sessionEvents,
  ...turnEvents,
  ...cellEvents,
  ...callEvents,
  ...taskEvents,
  ...workspaceEvents,
  ...memoryEvents,
  ...auditEvents,
  ...hookEvents,
  ...cronEvents,
  ...heartbeatEvents,
  ...retentionEvents,
  ...channelEvents,
} as const;

export type EventType = keyof typeof eventDataSchemas;
export type EventData<T extends EventType> = z.infer<(typeof eventDataSchemas)[T]>;

/**
 * A session's own id, the one of a delivery to a webhook, or the one stream for what belongs to neither
 * (sign-ins, network audit).
 */
export type StreamId = SessionId | DeliveryStream | "system";
/** Made of what tells a delivery from every other: the same one again finds its stream taken. */
export type DeliveryStream = `delivery:${string}`;
export const streamIdSchema = z.union([
  idSchema("session"),
  z.templateLiteral(["delivery:", sha256Schema]),
  z.literal("system"),
]);

export function isSessionStream(stream: StreamId): stream is SessionId {
  return stream !== "system" && !stream.startsWith("delivery:");
}

export interface EventHeader {
  readonly id: EventId;
  readonly stream: StreamId;
  /** Gap-free per stream, from 1. */
  readonly seq: number;
  readonly at: string;
  readonly turnId?: TurnId;
  readonly payloadHash: string;
  /** Hash of the predecessor's header; 64 zeros for the first event of a stream. */
  readonly prev: string;
}

export type EventOf<T extends EventType> = EventHeader & { readonly type: T; readonly data: EventData<T> };

/** An event of a type this version knows, with a payload that fits its schema. */
export type CanonicalEvent = { [T in EventType]: EventOf<T> }[EventType];

/** What is handed to the log, which adds the rest. */
export type NewEvent = {
  [T in EventType]: { readonly type: T; readonly data: EventData<T>; readonly turnId?: TurnId };
}[EventType];

/** Any event as the log stores it: known, unknown, or erased (`data` is then null). */
export type StoredEvent = EventHeader & { readonly type: string; readonly data: unknown };

export const storedEventSchema = z.object({
  id: idSchema("event"),
  stream: streamIdSchema,
  seq: z.int().positive(),
  at: timestampSchema,
  type: z.string().min(1).max(100),
  turnId: idSchema("turn").optional(),
  data: z.unknown(),
  payloadHash: sha256Schema,
  prev: sha256Schema,
});

export type ReadEvent =
  | { readonly kind: "known"; readonly event: CanonicalEvent }
  /** A type from a newer version, or a payload that does not fit: kept, and passed over by projections. */
  | { readonly kind: "unknown"; readonly event: StoredEvent; readonly why: "type" | "payload" | "erased" };

/** Never throws, never changes the event: fields that this version does not know stay in `data`. */
export function readEvent(event: StoredEvent): ReadEvent {
  if (event.data === null) return { kind: "unknown", event, why: "erased" };
  if (!isEventType(event.type)) return { kind: "unknown", event, why: "type" };
  if (!eventDataSchemas[event.type].safeParse(event.data).success) {
    return { kind: "unknown", event, why: "payload" };
  }
  return { kind: "known", event: event as CanonicalEvent };
}

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventDataSchemas, type);
}
