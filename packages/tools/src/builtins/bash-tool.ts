import { z } from "zod";
import { defineTool } from "../define-tool.ts";
import type { CallTerms, ToolTree } from "../tool.ts";
import { ToolsError } from "../tools-error.ts";
import type { CommandRunner } from "./command-runner.ts";

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
export function bashTools(deps: BashDeps): ToolTree {
  return {
    run: defineTool({
      description: "Run a bash command in the workspace, on the user's machine",
      approval: "required",
      effect: "destructive",
      terms: ({ command, cwd }) => TERMS[deps.judge(command, cwd).verdict],
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
      run: async (input, { signal, progress }) => {
        const { verdict, reasons } = deps.judge(input.command, input.cwd);
        if (verdict === "deny")
          throw new ToolsError("command_denied", `It may not run: ${reasons.join("; ")}`);
        return await deps.runner.run({ ...input, onLine: progress }, signal);
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
