import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { ToolTree } from "@deputy/tools";
import {
  type CommandDeps,
  commandCard,
  commandCircumstances,
  commandTerms,
  runJudged,
} from "./judged-command.ts";
import type { WorkspaceLane } from "@deputy/workspace";

/** `tools.bash.run`: a command on the host, in the workspace. */
export function bashTools(deps: CommandDeps, lane: WorkspaceLane): ToolTree {
  return {
    run: defineTool({
      description: "Run a bash command in the workspace, on the user's machine",
      approval: "required",
      effect: "destructive",
      terms: (input) => commandTerms(deps, input),
      // A yes is to this command line. To the tool it would be one to every other.
      grantable: "input",
      circumstances: (input) => commandCircumstances(deps, input),
      idempotent: false,
      args: z.object({
        command: z.string().min(1).max(100_000),
        cwd: z.string().max(4_096).default("").describe("A folder of the workspace"),
        timeoutMs: z.int().min(100).max(deps.timeoutMs).default(deps.timeoutMs),
      }),
      returns: z.object({
        stdout: z.string(),
        stderr: z.string(),
        exitCode: z.int(),
        timedOut: z.boolean(),
        cut: z.object({ stdout: z.int(), stderr: z.int() }).describe("Bytes left out of the middle of each"),
        durationMs: z.int(),
        sandbox: z.string().describe("What it ran in"),
      }),
      run: (input, { signal, progress, approvedBy }) =>
        runJudged(deps, lane, { ...input, onLine: progress }, approvedBy, signal),
      formatApproval: (input) => commandCard(deps, input),
    }),
  };
}
