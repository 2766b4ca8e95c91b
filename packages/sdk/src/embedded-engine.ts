import type { AgentRegistry, ApprovalDesk } from "@deputy/agent";
import type { SessionService } from "@deputy/agent/sessions";
import type { Clock } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import type { Conversations } from "@deputy/tasks";

/** The parts of an engine that a deputy needs. It is disposed with the deputy. */
export interface EmbeddedEngine extends AsyncDisposable {
  readonly log: EventLog;
  readonly approvals: ApprovalDesk;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly agents: AgentRegistry;
  /** The agent if none is named. */
  readonly defaultAgent: string;
  readonly clock: Pick<Clock, "now">;
  /** Called with bugs, which no outcome can carry. */
  readonly onBug: (error: unknown) => void;
}
