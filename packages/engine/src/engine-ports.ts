import type { AgentRegistry, SkillShelf } from "@deputy/agent";
import type { SessionRequest, SessionService } from "@deputy/agent/sessions";
import type { CallCounter, CredentialIssuer, GateDeps, Recall, Surroundings } from "@deputy/agent/turns";
import type { CellLimits, Sandbox, TypeChecker, TypeStripper } from "@deputy/codemode";
import type { Clock, IdSource } from "@deputy/kit";
import type { Model, Price } from "@deputy/model";
import type { Policy } from "@deputy/policy";
import type { Redactor } from "@deputy/secrets";
import type { BlobStore, EventLog, Sha256, UnusedBlobs } from "@deputy/protocol";
import type {
  Channel,
  Conversations,
  Reminders,
  Reporters,
  RetentionRules,
  TaskService,
} from "@deputy/tasks";
import type { ActiveHours } from "@deputy/tasks/heartbeat";
import type { Catalogue } from "@deputy/tools";
import type { Advance, Workflows } from "@deputy/world";

/** Where what Deputy says without being asked goes. */
export interface Notifications {
  /** Other ways than sessions, by name. */
  readonly channels: readonly Channel[];
  /** Where `last` leads: a channel, a chat app or a session. */
  readonly deliverTo: string;
  /** When no phone is to ring. */
  readonly quietHours?: ActiveHours | undefined;
}

/**
 * The ports of an engine. The caller decides what is behind each, and closes what it has opened after the
 * engine; the engine closes only what `openTurns` returns.
 */
export interface EnginePorts {
  readonly log: EventLog;
  readonly blobs: BlobStore & UnusedBlobs;
  readonly clock: Clock;
  /** The clock for due tasks, if it is not the normal one. */
  readonly dueBy?: { readonly clock: Clock; readonly speed: number } | undefined;
  readonly ids: IdSource;
  readonly sha256: Sha256;
  readonly redactor: Redactor;
  /** Names this engine in the log, uniquely. */
  readonly owner: string;
  readonly agents: EngineAgents;
  /** By `provider/model`; they override Deputy's own prices. */
  readonly prices?: Readonly<Record<string, Price>> | undefined;
  /**
   * Plugin files that every task here can use in addition to the configured ones; continuing a task needs
   * them again.
   */
  readonly plugins?: readonly string[] | undefined;
  /** The session for notifications while there is no conversation yet. */
  readonly firstSession: SessionRequest;
  /** Where notifications go, and when no phone is to ring; absent: to the session used last, at any time. */
  readonly notifications?: Notifications | undefined;
  /** The zone of schedules that name none. */
  readonly zone: string;
  /** What can report, so that a task can wait for it. Absent: any name may. */
  readonly reporters?: (() => Reporters) | undefined;
  /** Who the user is, as far as that is known. */
  readonly user?: Surroundings["user"];
  /** Messages that may wait for a model, in all sessions together. */
  readonly waitingMessages?: number | undefined;
  readonly retention: RetentionRules;
  /**
   * Called with the first firing of a task that runs later, so that nothing is loaded before. An abort
   * suspends it.
   */
  readonly openWorkflows: (advance: Advance, signal: AbortSignal) => Promise<Workflows>;
  /**
   * Opens the resources of turns, which are closed with the engine. Called with the first turn, so that an
   * idle engine does not hold them, or at once; if it rejects, again with the next turn. The services are
   * ready by then.
   */
  readonly openTurns: (services: TurnServices) => Promise<TurnPorts>;
  /** `at once`: the engine does not open if the turns do not, for example because a plugin cannot be loaded. */
  readonly turnsOpen: "at once" | "when needed";
  /** Called with what the user should know or fix. */
  readonly warn: (text: string) => void;
  /** Called with bugs, which no outcome can carry. */
  readonly onBug: (error: unknown) => void;
  /** An abort suspends everything, as disposing does. */
  readonly signal: AbortSignal;
}

export interface EngineAgents {
  readonly registry: AgentRegistry;
  /** The agent if none is named. */
  readonly defaultAgent: string;
  /** Where an agent's skills are, in order of precedence. */
  shelvesOf(slug: string): readonly SkillShelf[];
}

/** The parts of an engine that its own tools may use. */
export interface TurnServices {
  /** An append of a turn waits while the disk is full, and is refused once another process owns the turn. */
  readonly log: EventLog;
  readonly tasks: Pick<TaskService, "create" | "list" | "get" | "plan" | "cancel">;
  readonly sessions: Pick<SessionService, "list" | "find" | "search" | "transcript">;
  readonly conversations: Pick<Conversations, "send">;
  readonly reminders: Pick<Reminders, "add" | "list" | "update" | "remove">;
}

/** The resources of turns and programs. */
export interface TurnPorts extends AsyncDisposable {
  /** The current tools; the same object while nothing has changed. */
  readonly tools: () => Promise<ToolSets>;
  /** Absent: programs with plugins are refused. */
  readonly plugins?: PluginPort | undefined;
  /**
   * The one that was chosen for the session, or that of the agent's settings, or the default; with the fallbacks, if that
   * fails. Throws a coded error.
   */
  readonly modelOf: (
    slug: string,
    ref: string | undefined,
    chosen?: string,
    fallbacks?: readonly string[],
  ) => Model;
  readonly checker: TypeChecker;
  readonly stripper: TypeStripper;
  readonly sandbox: Sandbox;
  /** Of each program. */
  readonly limits?: CellLimits | undefined;
  readonly policy: Policy;
  /** Whether a program's questions are gathered into plans. */
  readonly plans?: "on" | "off" | undefined;
  /** Needed if the policy has budgets. */
  readonly counter?: CallCounter | undefined;
  /** After this time a question expires; absent: it never does. */
  readonly approvalTtlMs?: number | undefined;
  /** The source of tools' credentials; absent: they have none. */
  readonly credentials?: CredentialIssuer | undefined;
  readonly onSuspect?: GateDeps["onSuspect"];
  /** What fits a message of the memory. Absent: nothing is recalled by itself. */
  readonly recall?: Recall | undefined;
}

export interface ToolSets {
  /** All tools; each agent has those of its tool set. */
  readonly all: Catalogue;
  /** The tools for programs that are tasks. */
  readonly programs: Catalogue;
}

/** A program's own plugins. */
export interface PluginPort {
  /** The tools for programs, with those of these files. Rejects with a `ToolsError`, or when the engine stops. */
  open(files: ReadonlySet<string>): Promise<{ readonly catalogue: Catalogue; rest(): Promise<void> }>;
  /**
   * Throws a `ToolsError` if a file that a task was started with is not loaded: the task waits for a start
   * that has it.
   */
  assertLoaded(files: readonly string[]): void;
}
