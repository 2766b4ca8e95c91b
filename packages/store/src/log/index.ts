// The parts that every event log is made of, for any kind of storage. Portable. What does not belong here:
// anything that touches a disk, or knows one kind of storage.
export { type Bell, createBell } from "./live-hub.ts";
export { type ChainCheck, type ChainPoint, createChainCheck } from "./chain-check.ts";
export { type Cursor, mapCursor, PAGE_ITEMS, readToHead } from "./follow.ts";
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
} from "./chain-check.ts";
export {
  createStreamAudit,
  erasedRanges,
  isInRanges,
  type SeqRange,
  type StreamAudit,
} from "./stream-audit.ts";
export { MAX_QUEUED_DELTAS } from "./live-hub.ts";
