import type { AgentRegistry, ApprovalDesk, GrantsDesk, TurnRunner } from "@deputy/agent";
import type { SessionService } from "@deputy/agent/sessions";
import type { Clock, IdSource } from "@deputy/kit";
import type { BlobStore, EventLog } from "@deputy/protocol";
import type { Conversations, Inbox, LogTaskService, Outbox, Reminders, RepeatingTasks } from "@deputy/tasks";
import type { Catalogue } from "@deputy/tools";

/** One agent process: everything that clients, commands and embedders ask for. Disposing suspends what runs. */
export interface Engine extends AsyncDisposable {
  readonly log: EventLog;
  /** The same for what goes on in the background: an append waits while the disk is full. */
  readonly patientLog: EventLog;
  readonly blobs: BlobStore;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsDesk;
  readonly tasks: LogTaskService;
  /** Its `keep` makes this process the one that runs what is due. */
  readonly repeating: RepeatingTasks;
  readonly outbox: Outbox;
  /** Its `keep` makes this process the one that notes what is due. */
  readonly reminders: Reminders;
  readonly inbox: Inbox;
  readonly turns: TurnRunner;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly agents: AgentRegistry;
  /** Who answers when nobody is named. */
  readonly defaultAgent: string;
  /** Every tool there is, whoever may use it. Rejects when the turns cannot be opened. */
  readonly catalogue: () => Promise<Catalogue>;
  /** Those that programs which are tasks can use. Rejects as `catalogue` does. */
  readonly programTools: () => Promise<Catalogue>;
  /** Removes what nobody needs any more, by the rules, until the signal aborts. */
  readonly keepRetention: (signal: AbortSignal) => Promise<never>;
  readonly clock: Clock;
  /** What tasks are due by: the machine's time, unless it was sped up. */
  readonly dueBy: { readonly clock: Clock; readonly speed: number };
  readonly ids: IdSource;
  /** From now on this value is never shown. Idempotent. */
  readonly learnSecret: (value: string) => void;
  /** Takes out of a text what must not be shown. */
  readonly redact: (text: string) => string;
  /** Told of bugs, which no outcome can carry. */
  readonly onBug: (error: unknown) => void;
}
