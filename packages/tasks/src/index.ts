// Tasks: work that runs once, on a schedule, or when something happens; and messages to sessions.
export {
  type ConversationLimits,
  createConversationQueue,
  DEFAULT_CONVERSATION_LIMITS,
} from "./conversations/conversation-queue.ts";
export type {
  AbortOutcome,
  ConversationMessage,
  Conversations,
  Sent,
} from "./conversations/conversations.ts";
export { quotedMessage, type QuotedText } from "./conversations/quoted-text.ts";
export type { Accepted, Delivery, Inbox, InboxReader, ReceivedDelivery } from "./inbox/inbox.ts";
export { createInboxReader } from "./inbox/inbox-reader.ts";
export { createLogInbox } from "./inbox/log-inbox.ts";
export { describeTask } from "./describe-task.ts";
export {
  createLogTaskService,
  type InterruptedTask,
  type LogTaskService,
  type TaskWork,
} from "./log-task-service.ts";
export type { CancelOutcome, TaskService } from "./task-service.ts";
export { TasksError, type TasksErrorCode, tasksErrorCodes } from "./tasks-error.ts";
export { createTasksReader } from "./tasks-reader.ts";
