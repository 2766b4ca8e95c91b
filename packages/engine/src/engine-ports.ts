import type { AgentRegistry, SkillShelf } from "@deputy/agent";
import type { SessionRequest, SessionService } from "@deputy/agent/sessions";
import type { CallCounter, CredentialIssuer, GateDeps } from "@deputy/agent/turns";
import type { CellLimits, Sandbox, TypeChecker, TypeStripper } from "@deputy/codemode";
import type { Clock, IdSource } from "@deputy/kit";
import type { Model, Price } from "@deputy/model";
import type { Policy } from "@deputy/policy";
import type { Redactor } from "@deputy/policy/secrets";
import type { BlobStore, EventLog, Sha256, UnusedBlobs } from "@deputy/protocol";
import type { Conversations, Reminders, RetentionRules, TaskService } from "@deputy/tasks";
import type { Catalogue } from "@deputy/tools";
import type { Advance, Workflows } from "@deputy/world";

/**
 * What an engine is put together from. Whoever opens one decides what stands behind each, and closes what it has
 * opened after the engine; only what `openTurns` gives is closed by the engine.
 */
export interface EnginePorts {
  readonly log: EventLog;
  readonly blobs: BlobStore & UnusedBlobs;
  readonly clock: Clock;
  /** What tasks are due by, where that is not the clock. */
  readonly dueBy?: { readonly clock: Clock; readonly speed: number } | undefined;
  readonly ids: IdSource;
  readonly sha256: Sha256;
  readonly redactor: Redactor;
  /** Names this engine in the log; no other has the same. */
  readonly owner: string;
  readonly agents: EngineAgents;
  /** By `provider/model`; they go before those that Deputy knows. */
  readonly prices?: Readonly<Record<string, Price>> | undefined;
  /** Plugin files that every task here can use besides what is configured: going on needs them again. */
  readonly plugins?: readonly string[] | undefined;
  /** Where the owner is told something while no conversation is there yet. */
  readonly firstSession: SessionRequest;
  /** The zone of schedules that name none. */
  readonly zone: string;
  /** Messages that may wait for a model, in all sessions together. */
  readonly waitingMessages?: number | undefined;
  readonly retention: RetentionRules;
  /** Called with the first firing of a task that runs later: nothing of it is loaded before. An abort suspends it. */
  readonly openWorkflows: (advance: Advance, signal: AbortSignal) => Promise<Workflows>;
  /**
   * Opens what turns run on, which is closed with the engine. Called with the first turn, so that an engine that waits
   * holds none of it, or at once; when it rejects, again with the next turn. The services are ready by then.
   */
  readonly openTurns: (services: TurnServices) => Promise<TurnPorts>;
  /** `at once`: the engine does not open when the turns do not, such as for a plugin that cannot be loaded. */
  readonly turnsOpen: "at once" | "when needed";
  /** Told what the user should know or mend. */
  readonly warn: (text: string) => void;
  /** Told of bugs, which no outcome can carry. */
  readonly onBug: (error: unknown) => void;
  /** An abort suspends everything, as disposing does. */
  readonly signal: AbortSignal;
}

export interface EngineAgents {
  readonly registry: AgentRegistry;
  /** Who answers when nobody is named. */
  readonly defaultAgent: string;
  /** Where an agent's skills are, the first first. */
  shelvesOf(slug: string): readonly SkillShelf[];
}

/** What of an engine its own tools may use. */
export interface TurnServices {
  /** What is appended of a turn waits while the disk is full, and is refused once the turn is another's. */
  readonly log: EventLog;
  readonly tasks: Pick<TaskService, "create" | "list" | "get" | "plan" | "cancel">;
  readonly sessions: Pick<SessionService, "list" | "find" | "search" | "transcript">;
  readonly conversations: Pick<Conversations, "send">;
  readonly reminders: Pick<Reminders, "add" | "list" | "update" | "remove">;
}

/** What turns and programs run on. */
export interface TurnPorts extends AsyncDisposable {
  /** The tools as they are now; the same object for as long as nothing has changed. */
  readonly tools: () => Promise<ToolSets>;
  /** Absent: programs that bring plugins are refused. */
  readonly plugins?: PluginPort | undefined;
  /** The model of that name; without one, that of the agent. Throws a coded error. */
  readonly modelOf: (slug: string, ref: string | undefined) => Model;
  readonly checker: TypeChecker;
  readonly stripper: TypeStripper;
  readonly sandbox: Sandbox;
  /** Of each program. */
  readonly limits?: CellLimits | undefined;
  readonly policy: Policy;
  /** Whether a program's questions are gathered into plans. */
  readonly plans?: "on" | "off" | undefined;
  /** Needed where the policy has budgets. */
  readonly counter?: CallCounter | undefined;
  /** After so long a question is no longer open; absent: it never ends. */
  readonly approvalTtlMs?: number | undefined;
  /** Where tools' credentials come from; absent: they can have none. */
  readonly credentials?: CredentialIssuer | undefined;
  readonly onSuspect?: GateDeps["onSuspect"];
}

export interface ToolSets {
  /** Every tool there is; each agent has those of its tool set. */
  readonly all: Catalogue;
  /** Those of programs that are tasks. */
  readonly programs: Catalogue;
}

/** Plugins that a program brings along. */
export interface PluginPort {
  /** The tools of programs, with those of these files beside them. Rejects with a `ToolsError`, or when the engine stops. */
  open(files: ReadonlySet<string>): Promise<{ readonly catalogue: Catalogue; rest(): Promise<void> }>;
  /** Throws a `ToolsError` when a file that a task was begun with is not loaded: it waits for a start that has it. */
  assertLoaded(files: readonly string[]): void;
}
