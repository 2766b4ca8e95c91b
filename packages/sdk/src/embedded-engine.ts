import type { AgentRegistry, ApprovalDesk } from "@deputy/agent";
import type { SessionService } from "@deputy/agent/sessions";
import type { Clock } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import type { Conversations } from "@deputy/tasks";

/** What of an engine a deputy is made of. It is disposed with the deputy. */
export interface EmbeddedEngine extends AsyncDisposable {
  readonly log: EventLog;
  readonly approvals: ApprovalDesk;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly agents: AgentRegistry;
  /** Who answers when nobody is named. */
  readonly defaultAgent: string;
  readonly clock: Pick<Clock, "now">;
  /** Told of bugs, which no outcome can carry. */
  readonly onBug: (error: unknown) => void;
}
