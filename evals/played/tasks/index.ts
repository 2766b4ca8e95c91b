import { MAIL_TASKS } from "./mail-tasks.ts";
import { OWN_TASKS } from "./own-tasks.ts";
import type { PlayedTask } from "./played-task.ts";
import { SERVICE_TASKS } from "./service-tasks.ts";

/** Thirty things that people ask for on an ordinary day. */
export const PLAYED_TASKS: readonly PlayedTask[] = [...MAIL_TASKS, ...SERVICE_TASKS, ...OWN_TASKS];

/** Some of them, by names with commas between, or by a share: `2/4` is every fourth from the second on. Default all. */
export function pickTasks(some = ""): readonly PlayedTask[] {
  const [, part, parts] = /^(\d+)\/(\d+)$/.exec(some) ?? [];
  if (part !== undefined)
    return PLAYED_TASKS.filter((_, at) => at % Number(parts) === (Number(part) - 1) % Number(parts));
  const wanted = new Set(some.split(",").filter((name) => name !== ""));
  const tasks = PLAYED_TASKS.filter(({ id }) => wanted.size === 0 || wanted.has(id));
  if (wanted.size > 0 && tasks.length < wanted.size)
    throw new Error(
      `Tasks are named by commas, or by a share such as 1/4: ${PLAYED_TASKS.map(({ id }) => id).join(", ")}`,
    );
  return tasks;
}
