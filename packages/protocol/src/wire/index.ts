// The bodies of requests and answers, as schemas: for whoever serves or asks. Their types are in the root.
export {
  approvalAnswerSchema,
  pendingApprovalSchema,
  standingGrantSchema,
  approvalAnsweredSchema,
  approvalListSchema,
  grantListSchema,
} from "./approval.ts";
export { auditFilterSchema } from "./audit.ts";
export { createTaskSchema, editTaskSchema, taskSchema, taskStatusSchema, taskListSchema } from "./task.ts";
export { taskDetailSchema, taskStorySchema, storyLineSchema } from "./task-end.ts";
export { taskEventSchema } from "./task-event.ts";
export { outputItemSchema } from "./output-item.ts";
export { streamEventSchema } from "./stream-event.ts";
export { responseSchema } from "./response.ts";
export { pushSchema } from "./push.ts";
export { problemSchema } from "./problem.ts";
export { jsonSchemaOf } from "./wire-schema.ts";
export {
  submitRunSchema,
  submittedRunSchema,
  threadDetailSchema,
  threadListSchema,
  threadSchema,
} from "./run.ts";
export {
  memoryChangedSchema,
  type MemoryChanges,
  memoryChangesQuerySchema,
  memoryChangesSchema,
  type MemoryDocument,
  memoryDocumentSchema,
  type MemoryDocuments,
  memoryDocumentsSchema,
  type MemoryEdit,
  memoryEditSchema,
  type MemoryForget,
  memoryForgetSchema,
  type MemoryForgotten,
  memoryForgottenSchema,
  type MemoryFound,
  memoryFoundSchema,
  type MemoryIndexed,
  memoryIndexedSchema,
  memoryIndexSchema,
  memoryListSchema,
  memoryRecalledQuerySchema,
  memoryRecalledSchema,
  type MemoryRecalledTurns,
  type MemoryReport,
  memorySearchSchema,
  memoryShowSchema,
  memoryStatusSchema,
  memoryUndoSchema,
  type MemoryUndone,
  memoryUndoneSchema,
} from "./memory.ts";
export { noticeListSchema, noticeSchema } from "./notice.ts";
export { signedInSchema, signInCodeSchema, signInSchema } from "./sign-in.ts";
export { healthSchema } from "./health.ts";
export { openApiSchema, openRpcSchema } from "./open-api.ts";
