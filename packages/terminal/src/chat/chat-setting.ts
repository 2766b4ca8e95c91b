import type { Clock } from "@deputy/kit";
import type { SlashCommands } from "@deputy/tools";
import type { ChatHost, OpenedConversation } from "@deputy/client";

/** The settings that every kind of chat gets. */
export interface ChatSetting {
  readonly host: ChatHost;
  readonly first: OpenedConversation;
  readonly clock: Clock;
  /** The user's own commands. */
  readonly commands: SlashCommands;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the program has to end. */
  readonly signal: AbortSignal;
  /** Has Ctrl-C go to the handler, which says whether that was all; until disposed. */
  readonly intercept: (handler: () => "handled" | "leave") => Disposable;
  /** Has warnings go to `tell` instead of stderr; until disposed. */
  readonly listen: (tell: (text: string) => void) => Disposable;
}
