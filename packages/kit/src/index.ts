// Basics for all packages. No domain words here: nothing about sessions, tools or events.
export {
  abortReason,
  CodedError,
  errorCodeOf,
  isAbort,
  systemCodeOf,
  throwIfAborted,
} from "./coded-error.ts";
export { KitError, type KitErrorCode, kitErrorCodes } from "./keyed-lane.ts";
export { type Clock, createSystemClock } from "./clock.ts";
export {
  type CallId,
  type CellId,
  createIdSource,
  type EventId,
  type GrantId,
  type Id,
  type IdKind,
  idPrefixes,
  type IdSource,
  idTimeMs,
  type ItemId,
  parseId,
  type PlanId,
  type ReminderId,
  type SessionId,
  type TaskId,
  type TurnId,
} from "./id.ts";
export { createIdleTimer, type IdleTimer } from "./idle-timer.ts";
export { createSlices, inSlices, type Slices } from "./in-slices.ts";
export { createKeyedLane, type KeyedLane } from "./keyed-lane.ts";
export { type CutText, cutMiddle, type TextRoom } from "./cut-middle.ts";
export { findLookAlikes, spellOut } from "./make-visible.ts";
export { makeVisible } from "./make-visible.ts";
export { cutText, shorten } from "./shorten.ts";
export { longestBlanks, showOnOneLine, showText } from "./show-text.ts";
export { type Later, openLater } from "./open-later.ts";
export type { Pace } from "./pace.ts";
export { isRecord, parseJson } from "./read-json.ts";
export { retry, type RetryPolicy } from "./retry.ts";
export { type NoteOnSpan, span } from "./span.ts";
export { openTaskGroup, type TaskGroup } from "./task-group.ts";
export type { FileChange } from "./unified-diff.ts";
export { untilStopped } from "./task-group.ts";
