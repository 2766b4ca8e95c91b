import { CodedError } from "@deputy/kit";

export const tasksErrorCodes = [
  "not_available",
  "invalid_task",
  "task_running",
  "too_many_tasks",
  "shutting_down",
  "too_many_messages",
  "too_many_reminders",
  "unknown_session",
  "session_of_task",
  "source_unreachable",
  "source_refused",
  "source_misbehaved",
  "cursor_unusable",
] as const;
export type TasksErrorCode = (typeof tasksErrorCodes)[number];

export class TasksError extends CodedError<TasksErrorCode> {}
