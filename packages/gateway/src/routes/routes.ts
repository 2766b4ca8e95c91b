import type { AgentRegistry, ApprovalDesk, GrantsDesk } from "@deputy/agent";
import type { SessionService } from "@deputy/agent/sessions";
import type { CodedError, Clock } from "@deputy/kit";
import type { BlobStore, EventLog } from "@deputy/protocol";
import type { Conversations, TaskService } from "@deputy/tasks";
import type { HookDeps } from "../hooks/take-delivery.ts";
import type { GatewayLimits } from "../gateway-limits.ts";
import type { Route } from "../route.ts";
import type { EngineParts } from "../ws/methods/engine-handlers.ts";
import { createRunIndex } from "../runs/run-index.ts";
import { approvalsRoutes } from "./approvals-routes.ts";
import { auditRoutes } from "./audit-routes.ts";
import { blobsRoutes } from "./blobs-routes.ts";
import { grantsRoutes } from "./grants-routes.ts";
import { healthRoute } from "./health-route.ts";
import { hooksRoutes } from "./hooks-routes.ts";
import { type MetricsDoor, metricsRoute } from "../metrics/metrics-route.ts";
import { mcpRoutes } from "./mcp-routes.ts";
import { type MemoryDoor, memoryRoutes } from "./memory-routes.ts";
import { noticesRoute } from "./notices-route.ts";
import { openAiRoutes } from "./openai-routes.ts";
import { openApiRoute, openRpcRoute } from "./openapi-route.ts";
import { type PageFiles, pageRoutes } from "./page-routes.ts";
import { runsRoutes } from "./runs-routes.ts";
import { type SignInDeps, signInRoutes } from "./sign-in-routes.ts";
import { tasksRoutes } from "./tasks-routes.ts";

/** Every route of the gateway. Nothing is served that is not in this list. */
export function createRoutes(deps: {
  readonly log: EventLog;
  readonly tasks: TaskService;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsDesk;
  readonly agents: AgentRegistry;
  readonly defaultAgent: string;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly page: PageFiles;
  readonly version: string;
  readonly trouble?: (() => CodedError<string> | undefined) | undefined;
  readonly token: () => string;
  readonly programTools?: EngineParts["programTools"];
  readonly memory?: MemoryDoor | undefined;
  readonly workspace?: EngineParts["workspace"];
  readonly slashCommands?: EngineParts["slashCommands"];
  readonly redact?: ((text: string) => string) | undefined;
  readonly audit?: EngineParts["audit"];
  readonly limits: GatewayLimits;
  readonly stopping: AbortSignal;
  readonly hookDoor: HookDeps;
  readonly metricsDoor: MetricsDoor;
  readonly signIn: SignInDeps;
  readonly onBug: (error: unknown) => void;
}): readonly Route[] {
  const runs = createRunIndex(deps);
  const routes = [
    healthRoute(deps.version, deps.trouble ?? (() => undefined)),
    ...pageRoutes(deps.page),
    ...signInRoutes(deps.signIn),
    ...tasksRoutes(deps),
    noticesRoute(deps),
    ...memoryRoutes(deps),
    ...approvalsRoutes(deps),
    ...grantsRoutes(deps),
    ...runsRoutes({ ...deps, runs }),
    ...openAiRoutes({ ...deps, runs }),
    ...mcpRoutes({
      ...deps,
      load: async () =>
        (await import("../mcp/deputy-server.ts")).createDeputyServer({
          ...deps,
          redact: deps.redact ?? ((text) => text),
        }),
    }),
    ...auditRoutes(deps),
    ...blobsRoutes(deps),
    ...hooksRoutes(deps.hookDoor),
    metricsRoute(deps),
    openRpcRoute(deps.version),
  ];
  return [...routes, openApiRoute(routes, deps.version)];
}
