import type { AgentRegistry, ApprovalDesk } from "@deputy/agent";
import type { SessionReader } from "@deputy/agent/sessions";
import type { Clock } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import type { TaskService } from "@deputy/tasks";
import type { Catalogue, SlashCommands } from "@deputy/tools";
import type { Workspace } from "@deputy/workspace";
import { McpServer } from "@modelcontextprotocol/server";
import type { MemoryDoor } from "../routes/memory-routes.ts";
import type { BuildServer } from "./build-server.ts";
import { registerCatalogueTools } from "./catalogue-tools.ts";
import { registerMemoryTools } from "./memory-tools.ts";
import { registerProgramTools } from "./program-tools.ts";
import { registerPrompts } from "./prompts.ts";
import { createStateCodec } from "./request-state.ts";
import { registerResources } from "./resources.ts";

export interface DeputyServerDeps {
  readonly log: EventLog;
  readonly tasks: TaskService;
  readonly approvals: ApprovalDesk;
  readonly clock: Clock;
  readonly token: () => string;
  readonly version: string;
  /** The tools that programs can use; without it no tools are found. */
  readonly programTools?: (() => Promise<Pick<Catalogue, "find" | "get" | "list" | "describe">>) | undefined;
  /** Without it, there is no `memory_search`, and nothing of the memory can be read. */
  readonly memory?: Pick<MemoryDoor, "search" | "list" | "show"> | undefined;
  readonly sessions: SessionReader;
  /** Without it, no files can be read. */
  readonly workspace?: (() => Promise<Pick<Workspace, "walk" | "stat" | "read">>) | undefined;
  readonly slashCommands?: SlashCommands | undefined;
  readonly agents: AgentRegistry;
  /** Whose skills are prompts. */
  readonly defaultAgent: string;
  /** Takes known secrets out of what a client's model is shown. */
  readonly redact: (text: string) => string;
  readonly onBug: (error: unknown) => void;
}

const INSTRUCTIONS = `Deputy runs TypeScript programs against the user's own tools, each call under the user's policy.
Find tools with search_tools, read their declarations with describe_tools, then write one program for the whole job and pass it to run_code: it is typechecked first, and nothing runs if that fails.
Look up what the user noted and said before with memory_search.
Calls that need it wait for the user's approval. If a result says that it waits, tell the user, and continue with task_result.`;

/** Deputy for MCP's clients: the catalogue, programs as tasks, what can be read, and prompts. It keeps nothing between exchanges. */
export function createDeputyServer(deps: DeputyServerDeps): BuildServer {
  return (client) => {
    const state = createStateCodec(deps.token());
    const server = new McpServer(
      { name: "deputy", title: "Deputy", version: deps.version },
      {
        // Nothing is sent unasked: a client reads a list again when it needs it.
        capabilities: {
          tools: { listChanged: false },
          resources: { listChanged: false, subscribe: false },
          prompts: { listChanged: false },
          completions: {},
        },
        instructions: INSTRUCTIONS,
        requestState: { verify: state.verify },
      },
    );
    registerCatalogueTools(server, deps);
    registerProgramTools(server, { ...deps, state, client });
    registerMemoryTools(server, deps);
    registerResources(server, deps);
    registerPrompts(server, deps);
    return server;
  };
}
