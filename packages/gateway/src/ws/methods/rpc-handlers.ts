import type { AgentRegistry, ApprovalDesk, GrantsDesk } from "@deputy/agent";
import type { SessionService } from "@deputy/agent/sessions";
import type { Clock, CodedError } from "@deputy/kit";
import type { BlobStore, EventLog } from "@deputy/protocol";
import type { Channels, Conversations, TaskService } from "@deputy/tasks";
import { GatewayError } from "../../gateway-error.ts";
import { healthOf } from "../../routes/health-route.ts";
import type { RpcHandlers } from "../rpc-context.ts";
import { activityHandlers } from "./activity-handlers.ts";
import { channelsHandlers } from "./channels-handlers.ts";
import { chatHandlers } from "./chat-handlers.ts";
import { composeHandlers } from "./compose-handlers.ts";
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
  readonly channels?: (() => Promise<Channels>) | undefined;
  /** See `GatewayDeps`. */
  readonly trouble?: (() => CodedError<string> | undefined) | undefined;
}

/** Every method of `/ws`. A method without a handler does not compile. */
export function createRpcHandlers(deps: RpcDeps): RpcHandlers {
  const { clock, version } = deps;
  const startedMs = clock.monotonicMs();
  /** Without a door nobody knows which models there are; whoever embeds the gateway decides which one answers. */
  const assertModel = async (model: string, signal: AbortSignal): Promise<void> => {
    const door = await deps.setup?.();
    const status = await door?.["models.status"]({}, { signal, isOnThisMachine: false });
    if (status === undefined || status.choices.includes(model)) return;
    throw new GatewayError("invalid_request", "This model is not among those to choose from", {
      hint: `There are: ${status.choices.slice(0, 20).join(", ")}. Another one can be connected first.`,
    });
  };
  return {
    "health.check": async () => ({
      ...healthOf(version, deps.trouble?.()),
      uptime: Math.round((clock.monotonicMs() - startedMs) / 1_000),
    }),
    ...chatHandlers({ ...deps, assertModel }),
    ...execHandlers(deps),
    ...sessionsHandlers({ ...deps, assertModel }),
    ...eventsHandlers({ log: deps.log, changes: createChangeFeed(deps) }),
    ...tasksHandlers(deps),
    ...activityHandlers(deps),
    ...engineHandlers(deps),
    ...composeHandlers(deps),
    ...setupHandlers(deps),
    ...channelsHandlers(deps),
  };
}
