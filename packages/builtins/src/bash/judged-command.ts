import type { ApprovalText, CallTerms, ToolContext } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";
import type { CommandOrder, CommandResult, CommandRunner } from "./command-runner.ts";
import type { WorkspaceLane } from "@deputy/workspace";

/** Judges a command line before it runs; never throws. */
export type CommandJudge = (
  command: string,
  cwd: string,
) => { readonly verdict: "allow" | "ask" | "deny"; readonly reasons: readonly string[] };

export interface CommandDeps {
  readonly runner: CommandRunner;
  /** Commands that it allows run without asking, and those that it denies do not run. */
  readonly judge: CommandJudge;
  readonly timeoutMs: number;
  /** The files that a command line names, as they are now, in some short text. Never throws. */
  readonly named: (command: string, cwd: string) => string;
}

/**
 * A command that is understood stays within the workspace. A denied one does nothing, so the user is not asked about
 * it.
 */
const TERMS: Readonly<Record<ReturnType<CommandJudge>["verdict"], Partial<CallTerms> | undefined>> = {
  allow: { approval: "auto", effect: "write", critical: [] },
  ask: undefined,
  deny: { approval: "auto", effect: "read", critical: [] },
};

type CommandLine = Pick<CommandOrder, "command" | "cwd">;

export function commandTerms(
  deps: CommandDeps,
  { command, cwd }: CommandLine,
): Partial<CallTerms> | undefined {
  return TERMS[deps.judge(command, cwd).verdict];
}

/**
 * The circumstances of an approval, besides the command line: what the command can reach, and the state of the files
 * that it names.
 */
export function commandCircumstances(deps: CommandDeps, { command, cwd }: CommandLine): string {
  return `${deps.runner.reach()}\n${deps.named(command, cwd)}`;
}

/** Throws `command_denied`. */
export function refuseDenied(deps: CommandDeps, { command, cwd }: CommandLine): void {
  const { verdict, reasons } = deps.judge(command, cwd);
  if (verdict === "deny") throw new ToolsError("command_denied", `It may not run: ${reasons.join("; ")}`);
}

/**
 * Runs a command line as it was approved. A command that ran without a question was cleared for the files as they
 * are: it is judged again, and the files stay locked until it has ended. Rejects as the runner does, with
 * `command_denied` or `command_not_cleared`.
 */
export async function runJudged(
  deps: CommandDeps,
  lane: WorkspaceLane,
  order: CommandOrder,
  approvedBy: ToolContext["approvedBy"],
  signal: AbortSignal,
): Promise<CommandResult> {
  const judgeAndRun = async (): Promise<CommandResult> => {
    refuseDenied(deps, order);
    const { verdict, reasons } = deps.judge(order.command, order.cwd);
    if (verdict === "ask" && approvedBy === "terms") throw noLongerCleared(reasons);
    return await deps.runner.run(order, signal);
  };
  return await (approvedBy === "terms" ? lane(signal, judgeAndRun) : judgeAndRun());
}

/** The question to the user: the whole command line, where it runs, what it can reach, and why the user is asked. */
export function commandCard(
  deps: CommandDeps,
  { command, cwd }: CommandLine,
  more: readonly string[] = [],
): ApprovalText {
  const { reasons } = deps.judge(command, cwd);
  return {
    title: `Run ${firstLine(command)}`,
    details: [
      command,
      "",
      `In: ${cwd === "" ? "the workspace" : `${cwd} of the workspace`}`,
      deps.runner.reach(),
      ...more,
      ...reasons.map((reason) => `Why it is asked: ${reason}`),
    ].join("\n"),
  };
}

const TITLE_CHARS = 200;

/** A command line as one line, cut where it is long. */
export function firstLine(command: string): string {
  const [first = "", ...more] = command.split("\n");
  return `${first.slice(0, TITLE_CHARS)}${first.length > TITLE_CHARS || more.length > 0 ? " …" : ""}`;
}

function noLongerCleared(reasons: readonly string[]): ToolsError {
  return new ToolsError(
    "command_not_cleared",
    `The files have changed since it was judged, and it is no longer cleared: ${reasons.join("; ")}`,
    { hint: "Run it again: the user will be asked." },
  );
}
