import { CodedError } from "@deputy/kit";

export const tasksErrorCodes = ["not_available", "too_many_tasks", "shutting_down"] as const;
export type TasksErrorCode = (typeof tasksErrorCodes)[number];

export class TasksError extends CodedError<TasksErrorCode> {}
