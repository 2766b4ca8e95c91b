// Tasks: work that runs once, on a schedule, or when something happens.
export { createLogTaskService, type LogTaskService, type TaskWork } from "./log-task-service.ts";
export type { CancelOutcome, TaskService } from "./task-service.ts";
export { TasksError, type TasksErrorCode, tasksErrorCodes } from "./tasks-error.ts";
