// The parts every event log is made of, wherever it keeps its bytes. Portable.
// What does not belong here: anything that touches a disk, or knows one kind of storage.
export { type Bell, createBell } from "./bell.ts";
export { type ChainCheck, type ChainPoint, createChainCheck } from "./chain-check.ts";
export { type Cursor, mapCursor, PAGE_ITEMS, readToHead } from "./cursor.ts";
export { followAll, followStream } from "./follow.ts";
export { createLiveHub, type LiveHub } from "./live-hub.ts";
export type { DayRange, PlacedEvent, PlacedEvents, UnverifiedEvents } from "./placed-events.ts";
export {
  assertTurnsOpen,
  type Draft,
  draftEvent,
  payloadHolds,
  type Place,
  sealDraft,
  type SealedEvent,
} from "./sealed-event.ts";
export {
  createStreamAudit,
  erasedRanges,
  isInRanges,
  type SeqRange,
  type StreamAudit,
} from "./stream-audit.ts";
export { MAX_QUEUED_DELTAS } from "./subscriber.ts";
