import type { ApprovalDesk } from "@deputy/agent";
import type { Clock } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import type { TaskService } from "@deputy/tasks";
import type { Catalogue } from "@deputy/tools";
import { McpServer } from "@modelcontextprotocol/server";
import type { MemoryDoor } from "../routes/memory-routes.ts";
import type { BuildServer } from "./build-server.ts";
import { registerCatalogueTools } from "./catalogue-tools.ts";
import { registerMemoryTools } from "./memory-tools.ts";
import { registerProgramTools } from "./program-tools.ts";
import { createStateCodec } from "./request-state.ts";

export interface DeputyServerDeps {
  readonly log: EventLog;
  readonly tasks: TaskService;
  readonly approvals: ApprovalDesk;
  readonly clock: Clock;
  readonly token: () => string;
  readonly version: string;
  /** The tools that programs can use; without it no tools are found. */
  readonly programTools?: (() => Promise<Pick<Catalogue, "find" | "get" | "list" | "describe">>) | undefined;
  /** Without it, there is no `memory_search`. */
  readonly memory?: Pick<MemoryDoor, "search"> | undefined;
  /** Takes known secrets out of what a client's model is shown. */
  readonly redact: (text: string) => string;
  readonly onBug: (error: unknown) => void;
}

const INSTRUCTIONS = `Deputy runs TypeScript programs against the user's own tools, each call under the user's policy.
Find tools with search_tools, read their declarations with describe_tools, then write one program for the whole job and pass it to run_code: it is typechecked first, and nothing runs if that fails.
Look up what the user noted and said before with memory_search.
Calls that need it wait for the user's approval. If a result says that it waits, tell the user, and continue with task_result.`;

/** Deputy for MCP's clients: the catalogue, and programs as tasks. It keeps nothing between exchanges. */
export function createDeputyServer(deps: DeputyServerDeps): BuildServer {
  return (client) => {
    const state = createStateCodec(deps.token());
    const server = new McpServer(
      { name: "deputy", title: "Deputy", version: deps.version },
      {
        capabilities: { tools: { listChanged: false } },
        instructions: INSTRUCTIONS,
        requestState: { verify: state.verify },
      },
    );
    registerCatalogueTools(server, deps);
    registerProgramTools(server, { ...deps, state, client });
    registerMemoryTools(server, deps);
    return server;
  };
}
