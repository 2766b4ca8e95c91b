import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import type { CallTerms, ToolTree } from "../tool.ts";
import { ToolsError } from "../tools-error.ts";
import type { CommandResult, CommandRunner } from "./command-runner.ts";
import type { WorkspaceLane } from "./workspace-lane.ts";

/** What may be said of a command line before it runs; never throws. */
export type CommandJudge = (
  command: string,
  cwd: string,
) => { readonly verdict: "allow" | "ask" | "deny"; readonly reasons: readonly string[] };

export interface BashDeps {
  readonly runner: CommandRunner;
  /** Commands that it allows run without asking, and those that it denies do not run. */
  readonly judge: CommandJudge;
  readonly timeoutMs: number;
}

/** A command that is understood stays within the workspace; one that is denied does nothing, so nobody is asked. */
const TERMS: Readonly<Record<ReturnType<CommandJudge>["verdict"], Partial<CallTerms> | undefined>> = {
  allow: { approval: "auto", effect: "write", critical: [] },
  ask: undefined,
  deny: { approval: "auto", effect: "read", critical: [] },
};

/** `tools.bash.run`: a command on the host, in the workspace. */
export function bashTools(deps: BashDeps, lane: WorkspaceLane): ToolTree {
  return {
    run: defineTool({
      description: "Run a bash command in the workspace, on the user's machine",
      approval: "required",
      effect: "destructive",
      terms: ({ command, cwd }) => TERMS[deps.judge(command, cwd).verdict],
      // A yes is to this command line. To the tool it would be one to every other.
      grantable: "input",
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
      run: async (input, { signal, progress, approvedBy }) => {
        const judgeAndRun = async (): Promise<CommandResult> => {
          const { verdict, reasons } = deps.judge(input.command, input.cwd);
          if (verdict === "deny")
            throw new ToolsError("command_denied", `It may not run: ${reasons.join("; ")}`);
          if (verdict === "ask" && approvedBy === "terms") throw noLongerCleared(reasons);
          return await deps.runner.run({ ...input, onLine: progress }, signal);
        };
        // What nobody was asked about was cleared for the files as they are: they stay so until it has ended.
        return await (approvedBy === "terms" ? lane(signal, judgeAndRun) : judgeAndRun());
      },
      formatApproval: ({ command, cwd }) => {
        const [first = "", ...more] = command.split("\n");
        const { reasons } = deps.judge(command, cwd);
        return {
          title: `Run ${first.slice(0, 200)}${first.length > 200 || more.length > 0 ? " …" : ""}`,
          details: [
            command,
            "",
            `In: ${cwd === "" ? "the workspace" : `${cwd} of the workspace`}`,
            deps.runner.reach(),
            ...reasons.map((reason) => `Why it is asked: ${reason}`),
          ].join("\n"),
        };
      },
    }),
  };
}

function noLongerCleared(reasons: readonly string[]): ToolsError {
  return new ToolsError(
    "command_not_cleared",
    `The files have changed since it was judged, and it is no longer cleared: ${reasons.join("; ")}`,
    { hint: "Run it again: the user will be asked." },
  );
}
