import type { SessionEntry, SessionSummary } from "@deputy/agent/sessions";
import type { GrantId, SessionId } from "@deputy/kit";
import type {
  ApprovalAnswer,
  ApprovalId,
  LogItem,
  PendingApproval,
  StandingGrant,
  Task,
} from "@deputy/protocol";
import type { QuotedText } from "@deputy/tasks";
import type { TerminalSessionOptions } from "./open-terminal-session.ts";

/** One open session. Its turns come one after the other. */
export interface Conversation {
  readonly session: SessionEntry;
  /** The last event at the time of opening. */
  readonly openedAtSeq: number;
  /** Everything that happened in it, then everything as it happens. Ends when the signal aborts. */
  items(signal: AbortSignal): AsyncIterable<LogItem>;
  /** The current last event. */
  headSeq(): Promise<number>;
  /**
   * Begins a turn, or adds to the current one. Durable once resolved; the turn continues in the background. Rejects
   * when the log does. Quoted text does not count as the user's.
   */
  say(text: string, signal: AbortSignal, quoted?: readonly QuotedText[]): Promise<void>;
  isBusy(): boolean;
  /** Resolves once no turn is running; rejects with the reason why one broke off, or the signal's reason. */
  idle(signal: AbortSignal): Promise<void>;
  /** Stops the running turn, if there is one; its end then comes soon. Idempotent. */
  stop(by: string): void;
  /**
   * The person leaves. A turn of this process is stopped, and has ended once this resolves; a daemon's turn continues
   * without them, unless it was stopped.
   */
  leave(by: string): Promise<LeftConversation>;
  /** An answer that comes second is ignored: the first one counts. */
  answer(id: ApprovalId, answer: ApprovalAnswer): Promise<void>;
}

/** `goes_on`: a turn is running in the daemon. */
export type LeftConversation = "ended" | "goes_on";

/** Holds conversations. */
export interface ChatHost {
  /** Continues where the last turn was interrupted. Throws like `openTerminalSession`. */
  open(options: TerminalSessionOptions, signal: AbortSignal): Promise<OpenedConversation>;
  /** A new session with that key and agent. */
  startAnew(session: Pick<SessionEntry, "agentId" | "key" | "channel">): Promise<OpenedConversation>;
  /** The sessions that can be continued, last used first. */
  list(): Promise<readonly SessionSummary[]>;
  readonly grants: ChatGrants;
  readonly efforts: ChatEfforts;
  readonly models: ChatModels;
  /** All tasks, the newest first. Rejects as the log does. */
  tasks(signal: AbortSignal): Promise<readonly Task[]>;
  /** Every question that waits for an answer, in all conversations, the oldest first. Rejects as the log does. */
  waiting(signal: AbortSignal): Promise<readonly PendingApproval[]>;
  /** Files of the workspace that have these letters in their paths, the best first; some of them. */
  files(query: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Which model answers, by conversation. All reject as the log does. */
export interface ChatModels {
  /** Undefined: its agent's. */
  of(session: SessionId): Promise<string | undefined>;
  /** As `provider/model`, the default one first. */
  choices(signal: AbortSignal): Promise<readonly string[]>;
  /** From the next turn on. Null: its agent's. Rejects with a coded error unless it is among the choices. */
  choose(session: SessionId, model: string | null, signal: AbortSignal): Promise<void>;
}

/** How much models reason, by conversation. Both reject as the log does. */
export interface ChatEfforts {
  /** Undefined: as its agent's settings say. */
  of(session: SessionId): Promise<Effort | undefined>;
  /** From the next turn on. Null: as its agent's settings say. */
  choose(session: SessionId, effort: Effort | null, signal: AbortSignal): Promise<void>;
}

type Effort = NonNullable<SessionEntry["effort"]>;

/** What the user has allowed beyond one call, in all conversations. Both reject as the log does. */
export interface ChatGrants {
  /** Those that can still allow something, oldest first. */
  list(): Promise<readonly StandingGrant[]>;
  /** From the next call on it allows nothing. */
  revoke(id: GrantId, signal: AbortSignal): Promise<void>;
}

export interface OpenedConversation {
  readonly conversation: Conversation;
  /** Says to a returning user which session this is; absent for a new one. */
  readonly greeting?: string;
}
