import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { ToolTree } from "@deputy/tools";
import {
  type CommandDeps,
  commandCard,
  commandCircumstances,
  commandGrounds,
  commandTerms,
  runJudged,
} from "./judged-command.ts";
import type { WorkspaceChanges } from "./workspace-changes.ts";

/** `tools.bash.run`: a command on the host, in the workspace. */
export function bashTools(deps: CommandDeps, changes: WorkspaceChanges): ToolTree {
  return {
    run: defineTool({
      description:
        "Run a shell command in the workspace, on the user's machine: tests, builds, git, installing packages",
      approval: "required",
      effect: "destructive",
      terms: (input) => commandTerms(deps, input),
      // A yes is to this command line; to all of them only if the user says so.
      grantable: "input",
      anyValues: true,
      circumstances: (input) => commandCircumstances(deps, changes, input),
      grounds: (input) => commandGrounds(deps, changes, input),
      boundInPlans: "grounds",
      idempotent: false,
      throws: ["command_denied", "command_not_cleared", "command_failed", "sandbox_unavailable"],
      args: z.object({
        command: z.string().min(1).max(100_000),
        cwd: z.string().max(4_096).default("").describe("A folder of the workspace"),
        timeoutMs: z.int().min(100).max(deps.timeoutMs).default(deps.timeoutMs),
      }),
      returns: z.object({
        stdout: z.string(),
        stderr: z.string(),
        exitCode: z.int().describe("Not 0: the command failed, which is a result and no error"),
        timedOut: z.boolean(),
        stopped: z.string().optional().describe("The limits that it met"),
        cut: z.object({ stdout: z.int(), stderr: z.int() }).describe("Bytes left out of the middle of each"),
        durationMs: z.int(),
        sandbox: z.string().describe("What it ran in"),
      }),
      run: (input, { signal, progress, approvedBy, session }) =>
        runJudged(deps, changes, { ...input, session, onLine: progress }, approvedBy, signal),
      formatApproval: (input) => commandCard(deps, input),
    }),
  };
}
