import { CodedError } from "@deputy/kit";

export const tasksErrorCodes = ["kind_not_available", "too_many_tasks"] as const;
export type TasksErrorCode = (typeof tasksErrorCodes)[number];

export class TasksError extends CodedError<TasksErrorCode> {}
