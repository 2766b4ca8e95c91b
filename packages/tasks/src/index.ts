// Tasks: work that runs once, on a schedule, or when something happens.
export { describeTask } from "./describe-task.ts";
export {
  createLogTaskService,
  type InterruptedTask,
  type LogTaskService,
  type TaskWork,
} from "./log-task-service.ts";
export type { CancelOutcome, TaskService } from "./task-service.ts";
export { TasksError, type TasksErrorCode, tasksErrorCodes } from "./tasks-error.ts";
