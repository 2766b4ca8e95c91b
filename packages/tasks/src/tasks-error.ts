import { CodedError } from "@deputy/kit";

export const tasksErrorCodes = [
  "not_available",
  "too_many_tasks",
  "shutting_down",
  "too_many_messages",
  "unknown_session",
  "session_of_task",
] as const;
export type TasksErrorCode = (typeof tasksErrorCodes)[number];

export class TasksError extends CodedError<TasksErrorCode> {}
