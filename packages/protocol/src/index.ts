// Everything on a wire: events, their projections, request and response bodies, and the log's port.
// What does not belong here: behaviour that waits, touches a disk or a network.
export {
  type CanonicalEvent,
  type DeliveryStream,
  EVENT_SCHEMA_VERSION,
  type EventData,
  eventDataSchemas,
  type EventHeader,
  type EventOf,
  type EventType,
  isEventType,
  isSessionStream,
  type NewEvent,
  type ReadEvent,
  readEvent,
  type StoredEvent,
  storedEventSchema,
  type StreamId,
  streamIdSchema,
} from "./canonical-event.ts";
export { FIRST_PREV, headerHash, LOST_EVENT_TYPE, payloadHash, type Sha256 } from "./log/event-chain.ts";
export {
  type AppendOptions,
  type Damage,
  type EventLog,
  EventLogError,
  type EventLogErrorCode,
  eventLogErrorCodes,
  isTurnEndType,
  type Journal,
  type JournalEntry,
  type IndexedEventType,
  indexedEventTypes,
  type LogItem,
  type PositionedEvent,
  type ReadAllOptions,
  type ReadOptions,
  type StreamHead,
  type TurnEndType,
  turnEndTypes,
  type VerifyReport,
  type ViewSnapshot,
  type ViewSnapshots,
} from "./log/event-log.ts";
export type { AssistantDelta } from "./wire/transient-event.ts";
export {
  effortSchema,
  type Failure,
  idSchema,
  type Label,
  type Usage,
  usageSchema,
} from "./events/shared.ts";
export type { ForgetWish, ForgottenCounts, KeptOnForgetting } from "./events/memory-events.ts";
export { deliveryReceiptSchema } from "./events/background-events.ts";
export type { ResultTrust } from "./wire/result-trust.ts";
export { type Diagnostic, LARGEST_PROGRAM_CHARS, type Operation } from "./events/cell-events.ts";
export {
  type ApprovalId,
  approvalIdSchema,
  type ApprovalPreview,
  type ApprovalScope,
  type PlannedCall,
  type CallStatus,
  callStatusSchema,
  type GrantBinding,
} from "./events/call-events.ts";
export type { ApprovalAnswer, PendingApproval, StandingGrant } from "./wire/approval.ts";
export type { AuditedEvent, AuditFilterInput, AuditPage } from "./wire/audit.ts";
export type { CreateTask, EditTask, Program, Task, TaskStatus } from "./wire/task.ts";
export type { TaskDetail, StoryLine, TaskEnd, TaskReceipt } from "./wire/task-end.ts";
export { createTaskEndReducer, type TaskEndReducer } from "./projections/task-end-reducer.ts";
export type { TaskEvent } from "./wire/task-event.ts";
export { projectTaskEvents } from "./projections/project-task-events.ts";
export type { OutputItem, OutputItemType } from "./wire/output-item.ts";
export type { StreamEvent, StreamPayload } from "./wire/stream-event.ts";
export type { Response } from "./wire/response.ts";
export type { ResponseReducer } from "./projections/response-reducer.ts";
export type { Changed, Push } from "./wire/push.ts";
export {
  type AuditEntry,
  auditNeedles,
  type AuditNeedles,
  isAudited,
  projectAudit,
} from "./projections/project-audit.ts";
export type { Problem } from "./wire/problem.ts";
export { type PlanCard, readPlanCard } from "./wire/plan-card.ts";
export type { ApprovalCard, CardCall, CardGroup, CardPart } from "./wire/approval-card.ts";
export { projectCard } from "./card/project-card.ts";
export { type CardLine, cardLines, numbersOf, wrapCardLines } from "./card/card-lines.ts";
export { headingOf } from "./card/card-heading.ts";
export {
  DESCRIPTIONS_OF,
  gatherReasons,
  nameSources,
  type ValueReason,
  withRead,
  writeValueReason,
} from "./card/reasons.ts";
export { HEARTBEAT_CHANNEL, noteMessage, readNote, type SessionNote, showNote } from "./wire/session-note.ts";
export {
  type BlobStore,
  BlobStoreError,
  type BlobStoreErrorCode,
  blobStoreErrorCodes,
  isBlobId,
  LARGEST_BLOB_BYTES,
  type OpenBlob,
  type StoredBlob,
  type UnusedBlobs,
  type AttachmentRef,
  storedBlobSchema,
} from "./log/blob-store.ts";
export type { WireSchema } from "./wire/wire-schema.ts";
export type { SubmitRun, Thread } from "./wire/run.ts";
export { showApproval } from "./wire/approval-text.ts";
export type { Schedule, ScheduleInput } from "./schedule.ts";
export type { ScheduleErrorCode, ZoneTime } from "./schedule/zone-time.ts";
export type { Notice } from "./wire/notice.ts";
export type { ScheduleContext } from "./schedule/parse-schedule.ts";
export type { Health } from "./wire/health.ts";
