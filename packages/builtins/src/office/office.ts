import type { ReminderDesk } from "./cron-tools.ts";
import type { SessionDesk } from "./session-tools.ts";
import type { SlashCommands } from "@deputy/tools";
import type { TaskDesk } from "./task-tools.ts";
import type { TodoItem } from "./todo-tools.ts";

/** What of Deputy itself its tools can reach: other sessions, tasks, the user's prompts. */
export interface Office {
  readonly tasks: TaskDesk;
  readonly sessions: SessionDesk;
  readonly reminders: ReminderDesk;
  /** The list that was last written in a session; empty when none was. */
  todo(session: string, signal: AbortSignal): Promise<readonly TodoItem[]>;
}

export interface OfficeDeps {
  /** Throws `not_available` where nothing is run. */
  readonly office: () => Office;
  readonly slashCommands: SlashCommands;
}
