import type { OwnHooks } from "./hook-tools.ts";
import type { OwnReminders } from "./cron-tools.ts";
import type { OwnMemory } from "./memory-tools.ts";
import type { OwnSessions } from "./session-tools.ts";
import type { SlashCommands } from "@deputy/tools";
import type { OwnTasks } from "./task-tools.ts";
import type { TodoItem } from "./todo-tools.ts";

/** The services of Deputy that its own tools use: other sessions, tasks, reminders, memory and to-do lists. */
export interface OwnServices {
  readonly tasks: OwnTasks;
  readonly sessions: OwnSessions;
  readonly reminders: OwnReminders;
  readonly memory: OwnMemory;
  readonly hooks: OwnHooks;
  /** The list that was last written in a session; empty when none was. */
  todo(session: string, signal: AbortSignal): Promise<readonly TodoItem[]>;
}

export interface OwnToolsDeps {
  /** Throws `not_available` where nothing is run. */
  readonly services: () => OwnServices;
  readonly slashCommands: SlashCommands;
}
