import type { AgentRegistry, ApprovalDesk, GrantsDesk } from "@deputy/agent";
import type { SessionService } from "@deputy/agent/sessions";
import type { Clock, CodedError } from "@deputy/kit";
import type { BlobStore, EventLog } from "@deputy/protocol";
import type { Conversations, TaskService } from "@deputy/tasks";
import { healthOf } from "../../routes/health-route.ts";
import type { RpcHandlers } from "../rpc-context.ts";
import { activityHandlers } from "./activity-handlers.ts";
import { chatHandlers } from "./chat-handlers.ts";
import { type EngineParts, engineHandlers, execHandlers } from "./engine-handlers.ts";
import { eventsHandlers } from "./events-handlers.ts";
import { createChangeFeed } from "../change-feed.ts";
import { sessionsHandlers } from "./sessions-handlers.ts";
import { setupHandlers, type SetupParts } from "./setup-handlers.ts";
import type { PageSessions } from "../../sign-in/page-sessions.ts";
import { tasksHandlers } from "./tasks-handlers.ts";

export interface RpcDeps extends EngineParts, SetupParts {
  readonly log: EventLog;
  readonly tasks: TaskService;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsDesk;
  readonly agents: AgentRegistry;
  readonly defaultAgent: string;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly blobs: Pick<BlobStore, "open">;
  readonly clock: Clock;
  readonly onBug: (error: unknown) => void;
  readonly version: string;
  readonly pageSessions: PageSessions;
  /** See `GatewayDeps`. */
  readonly trouble?: (() => CodedError<string> | undefined) | undefined;
}

/** Every method of `/ws`. A method without a handler does not compile. */
export function createRpcHandlers(deps: RpcDeps): RpcHandlers {
  const { clock, version } = deps;
  const startedMs = clock.monotonicMs();
  return {
    "health.check": async () => ({
      ...healthOf(version, deps.trouble?.()),
      uptime: Math.round((clock.monotonicMs() - startedMs) / 1_000),
    }),
    ...chatHandlers(deps),
    ...execHandlers(deps),
    ...sessionsHandlers(deps),
    ...eventsHandlers({ log: deps.log, changes: createChangeFeed(deps) }),
    ...tasksHandlers(deps),
    ...activityHandlers(deps),
    ...engineHandlers(deps),
    ...setupHandlers(deps),
  };
}
