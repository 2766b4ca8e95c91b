import type { ApprovalDesk } from "@deputy/agent";
import type { EventLog } from "@deputy/protocol";
import type { TaskService } from "@deputy/tasks";
import type { Route } from "../route.ts";
import { approvalsRoutes } from "./approvals-routes.ts";
import { healthRoute } from "./health-route.ts";
import { type PageFiles, pageRoutes } from "./page-routes.ts";
import { tasksRoutes } from "./tasks-routes.ts";

/** Every route of the gateway. Nothing is served that is not in this list. */
export function createRoutes(deps: {
  readonly log: EventLog;
  readonly tasks: TaskService;
  readonly approvals: ApprovalDesk;
  readonly page: PageFiles;
  readonly version: string;
}): readonly Route[] {
  return [
    healthRoute(deps.version),
    ...pageRoutes(deps.page),
    ...tasksRoutes(deps),
    ...approvalsRoutes(deps),
  ];
}
