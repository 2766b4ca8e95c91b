import { MAIL_TASKS } from "./mail-tasks.ts";
import { OWN_TASKS } from "./own-tasks.ts";
import type { PlayedTask } from "./played-task.ts";
import { SERVICE_TASKS } from "./service-tasks.ts";

/** Thirty things that people ask for on an ordinary day. */
export const PLAYED_TASKS: readonly PlayedTask[] = [...MAIL_TASKS, ...SERVICE_TASKS, ...OWN_TASKS];
