// Tasks: work that runs once, on a schedule, or when something happens.
export type { CancelOutcome, TaskService } from "./task-service.ts";
