import type { AgentRegistry, ApprovalDesk, GrantsDesk, TurnRunner } from "@deputy/agent";
import type { SessionService } from "@deputy/agent/sessions";
import type { Clock, IdSource } from "@deputy/kit";
import type { BlobStore, EventLog } from "@deputy/protocol";
import type { Conversations, Inbox, LogTaskService, Outbox, Reminders, RepeatingTasks } from "@deputy/tasks";
import type { Catalogue } from "@deputy/tools";

/** One agent process: everything for clients, commands and embedders. Disposing suspends what runs. */
export interface Engine extends AsyncDisposable {
  readonly log: EventLog;
  /** The same for background work: an append waits while the disk is full. */
  readonly patientLog: EventLog;
  readonly blobs: BlobStore;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsDesk;
  readonly tasks: LogTaskService;
  /** Its `keep` makes this process run what is due. */
  readonly repeating: RepeatingTasks;
  readonly outbox: Outbox;
  /** Its `keep` makes this process note what is due. */
  readonly reminders: Reminders;
  readonly inbox: Inbox;
  readonly turns: TurnRunner;
  /** True while turns are worked on here: what nobody waits for should give way. */
  readonly isWorking: () => boolean;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly agents: AgentRegistry;
  /** The agent if none is named. */
  readonly defaultAgent: string;
  /** All tools, for any agent. Rejects if the turns cannot be opened. */
  readonly catalogue: () => Promise<Catalogue>;
  /** The tools for programs that are tasks. Rejects like `catalogue`. */
  readonly programTools: () => Promise<Catalogue>;
  /** Removes unneeded data by the rules, until the signal aborts. */
  readonly keepRetention: (signal: AbortSignal) => Promise<never>;
  readonly clock: Clock;
  /** The clock of tasks: the machine's, unless it was sped up. */
  readonly dueBy: { readonly clock: Clock; readonly speed: number };
  readonly ids: IdSource;
  /** From now on this value is never shown. Idempotent. */
  readonly learnSecret: (value: string) => void;
  /** Removes from a text what must not be shown. */
  readonly redact: (text: string) => string;
  /** Called with bugs, which no outcome can carry. */
  readonly onBug: (error: unknown) => void;
}
