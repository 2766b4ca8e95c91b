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
export { type Failure, idSchema, type Label, type Usage, usageSchema } from "./events/shared.ts";
export { deliveryReceiptSchema } from "./events/hook-events.ts";
export type { ResultTrust } from "./wire/result-trust.ts";
export { type Diagnostic, type Operation } from "./events/cell-events.ts";
export {
  type ApprovalId,
  approvalIdSchema,
  type ApprovalPreview,
  type ApprovalScope,
  type PlannedCall,
  type CallStatus,
  callStatusSchema,
} from "./events/call-events.ts";
export {
  type ApprovalAnswer,
  approvalAnswerSchema,
  type PendingApproval,
  pendingApprovalSchema,
  type StandingGrant,
  standingGrantSchema,
} from "./wire/approval.ts";
export {
  type CreateTask,
  createTaskSchema,
  LARGEST_PROGRAM_CHARS,
  type Program,
  type Task,
  taskSchema,
  type TaskStatus,
  taskStatusSchema,
} from "./wire/task.ts";
export {
  type TaskDetail,
  taskDetailSchema,
  taskStorySchema,
  type StoryLine,
  storyLineSchema,
  type TaskEnd,
  type TaskReceipt,
} from "./wire/task-end.ts";
export { createTaskEndReducer, type TaskEndReducer } from "./projections/task-end-reducer.ts";
export { type TaskEvent, taskEventSchema } from "./wire/task-event.ts";
export { projectTaskEvents } from "./projections/project-task-events.ts";
export { type OutputItem, outputItemSchema, type OutputItemType } from "./wire/output-item.ts";
export { type StreamEvent, streamEventSchema, type StreamPayload } from "./wire/stream-event.ts";
export { projectStreamEvents } from "./projections/project-stream-events.ts";
export { type Response, responseSchema } from "./wire/response.ts";
export { createResponseReducer, type ResponseReducer } from "./projections/response-reducer.ts";
export { hydrateResponses } from "./projections/hydrate-responses.ts";
export { type Push, pushSchema } from "./wire/push.ts";
export { projectPushes } from "./projections/project-pushes.ts";
export { createDeltaTrimmer } from "./projections/delta-trimmer.ts";
export { type AuditEntry, isAudited, projectAudit } from "./projections/project-audit.ts";
export { type Problem, problemSchema } from "./wire/problem.ts";
export { type PlanCard, readPlanCard } from "./wire/plan-card.ts";
export { previewDetails } from "./wire/preview-details.ts";
export { noteMessage, readNote, type SessionNote, showNote } from "./wire/session-note.ts";
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
} from "./log/blob-store.ts";
export { type AttachmentRef, storedBlobSchema } from "./log/blob.ts";
export { jsonSchemaOf, type WireSchema } from "./wire/wire-schema.ts";
export {
  type SubmitRun,
  submitRunSchema,
  submittedRunSchema,
  type Thread,
  threadDetailSchema,
  threadListSchema,
  threadSchema,
} from "./wire/run.ts";
export { showApproval } from "./wire/approval-text.ts";
export { approvalAnsweredSchema, approvalListSchema, grantListSchema } from "./wire/approval.ts";
export { taskListSchema } from "./wire/task.ts";
export { type Schedule, type ScheduleInput, scheduleInputSchema, scheduleSchema } from "./schedule.ts";
export { ScheduleError, type ScheduleErrorCode, scheduleErrorCodes } from "./schedule/schedule-error.ts";
export { type Notice, noticeListSchema, noticeSchema } from "./wire/notice.ts";
export { parseSchedule, type ScheduleContext } from "./schedule/parse-schedule.ts";
export { describeSchedule, momentWords } from "./schedule/describe-schedule.ts";
export { readCron } from "./schedule/cron-fields.ts";
export { type ZoneTime, zoneTime } from "./schedule/zone-time.ts";
export { type Health, healthSchema } from "./wire/health.ts";
export { openApiSchema } from "./wire/open-api.ts";
export { openRpcSchema } from "./wire/open-rpc.ts";
