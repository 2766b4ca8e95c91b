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
export { createLogInbox } from "./inbox/log-inbox.ts";
export { describeTask, openTasksView } from "./open-tasks-view.ts";
export {
  createLogTaskService,
  type InterruptedTask,
  type LogTaskService,
  type TaskWork,
} from "./log-task-service.ts";
export {
  describeUnknownReporter,
  assertReports,
  openRepeatingTask,
  type Reporters,
} from "./repeating/open-repeating-task.ts";
export { createRepeatingTasks, type RepeatingTasks, joinTasks } from "./repeating/repeating-tasks.ts";
export type { Channel, ChannelMessage, SentMessage } from "./outbox/channel.ts";
export type { ChannelPerson, Channels, Post, Progress, Shown } from "./channels/channels.ts";
export { ChannelFailure, type ChannelFailureCode, channelFailureCodes } from "./outbox/channel-failure.ts";
export { createLogOutbox } from "./outbox/log-outbox.ts";
export type { FailedMessage, Outbox, Telling } from "./outbox/outbox.ts";
export type { RetentionRules } from "./retention/keep-retention.ts";
export { createLogReminders } from "./reminders/log-reminders.ts";
export type { Reminder, Reminders } from "./reminders/reminders.ts";
export type {
  CancelOutcome,
  ChangeOutcome,
  TaskChange,
  TaskPlan,
  TaskRequest,
  TaskService,
} from "./task-service.ts";
export type { EventSource, SourceContext, SourceProgress, SourceState } from "./sources/event-source.ts";
export type { SourceSupervisor } from "./sources/supervise-sources.ts";
export { TasksError, type TasksErrorCode, tasksErrorCodes } from "./tasks-error.ts";
