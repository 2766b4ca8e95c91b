import type { AgentRegistry } from "@deputy/agent";
import type { Clock } from "@deputy/kit";
import { GatewayError } from "../../gateway-error.ts";
import type { RpcHandlers } from "../rpc-context.ts";
import type { EngineParts } from "./engine-handlers.ts";
import { rankPaths } from "./rank-paths.ts";

const FOUND_FILES = 20;
/** The list of files is kept for so long: each key that somebody types asks for it. */
const WALK_MS = 5_000;

/** What helps somebody who writes a message. What is not there is offered as nothing. */
export function composeHandlers(
  deps: Pick<EngineParts, "slashCommands" | "workspace"> & {
    readonly agents: AgentRegistry;
    readonly defaultAgent: string;
    readonly clock: Clock;
  },
): RpcHandlers<"commands.list" | "commands.expand" | "workspace.find"> {
  let walked: { readonly atMs: number; readonly files: readonly string[] } | undefined;
  const walk = async (signal: AbortSignal): Promise<readonly string[]> => {
    const nowMs = deps.clock.monotonicMs();
    if (walked !== undefined && nowMs - walked.atMs < WALK_MS) return walked.files;
    const files = (await (await deps.workspace?.())?.walk("", signal)) ?? [];
    // Somebody who finds nothing copies a folder and looks again at once.
    if (files.length > 0) walked = { atMs: nowMs, files };
    return files;
  };
  return {
    "commands.list": async ({ agentId = deps.defaultAgent }, { signal }) => {
      const [heads, { skills }] = await Promise.all([
        deps.slashCommands?.list(signal) ?? [],
        deps.agents.read(agentId, signal),
      ]);
      return { commands: [...heads], skills: [...skills] };
    },
    "commands.expand": async ({ name, arguments: args = "" }, { signal }) => {
      const prompt = await deps.slashCommands?.expand(name, args, signal);
      if (prompt === undefined) throw new GatewayError("not_found", "There is no such command");
      return { prompt };
    },
    "workspace.find": async ({ query, limit = FOUND_FILES }, { signal }) => {
      const found = rankPaths(await walk(signal), query);
      return { paths: found.slice(0, limit), hasMore: found.length > limit };
    },
  };
}
