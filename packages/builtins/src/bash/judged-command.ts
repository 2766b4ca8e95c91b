import type { ApprovalText, CallTerms, ToolContext } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";
import type { CommandOrder, CommandResult, CommandRunner } from "./command-runner.ts";
import type { CommandLine, WorkspaceChanges } from "./workspace-changes.ts";

/** Judges a command line before it runs; never throws. */
export type CommandJudge = (
  command: string,
  cwd: string,
) => { readonly verdict: "allow" | "ask" | "deny"; readonly reasons: readonly string[] };

export interface CommandDeps {
  readonly runner: CommandRunner;
  /** Commands that it allows run without asking, and those that it denies do not run. */
  readonly judge: CommandJudge;
  /** Whether a command also runs without asking where the sandbox contains it, unless the judge denies it. */
  readonly allowContained?: boolean;
  readonly timeoutMs: number;
  /** The workspace as it is now, and files elsewhere that the line names, in some short text. Never rejects. */
  readonly state: (command: string, cwd: string) => Promise<string>;
  /** The files of the workspace that a command line runs, for a question to show. Never rejects. */
  readonly scripts?: (command: string, cwd: string) => Promise<ShownScripts>;
}

/** What a question shows of what a command runs. */
export interface ShownScripts {
  readonly contents: readonly { readonly path: string; readonly text: string }[];
  /** Sentences about what it may run and is not shown. */
  readonly notes: readonly string[];
}

/**
 * A command that is understood stays within the workspace. A denied one does nothing, so the user is not asked about
 * it.
 */
const TERMS: Readonly<Record<ReturnType<CommandJudge>["verdict"], Partial<CallTerms>>> = {
  allow: { approval: "auto", effect: "write", critical: [] },
  ask: {},
  deny: { approval: "auto", effect: "read", critical: [] },
};

/** What a command may make of a file when nobody was asked about it: the judge may not see that it never ends. */
const MAX_UNASKED_FILE_BYTES = 1_024 * 1_024 * 1_024;

/** The terms of a command. */
export async function commandTerms(deps: CommandDeps, line: CommandLine): Promise<Partial<CallTerms>> {
  return TERMS[(await verdictOn(deps, line)).verdict];
}

/** The judge's word, and where it asks, that of the sandbox if the user trusts it. */
async function verdictOn(
  deps: CommandDeps,
  { command, cwd }: CommandLine,
): Promise<ReturnType<CommandJudge>> {
  const judged = deps.judge(command, cwd);
  const isCleared =
    judged.verdict === "ask" && deps.allowContained === true && (await deps.runner.isContained());
  return isCleared ? { verdict: "allow", reasons: [] } : judged;
}

/** What a yes to this one command depends on, besides its line: what it can reach, and the whole workspace. */
export async function commandCircumstances(
  deps: CommandDeps,
  changes: WorkspaceChanges,
  line: CommandLine,
): Promise<string> {
  return `${await deps.runner.reach()}\n${await changes.stateOf(line)}`;
}

/**
 * What a standing yes depends on, and a yes to a plan. In a sandbox that contains it: that sandbox, because whatever
 * the command runs by then, its changes are reviewed. Else the whole workspace, but for what its own runs changed.
 */
export async function commandGrounds(
  deps: CommandDeps,
  changes: WorkspaceChanges,
  line: CommandLine,
): Promise<string> {
  const reach = await deps.runner.reach();
  return (await deps.runner.isContained()) ? reach : `${reach}\n${await changes.groundsOf(line)}`;
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
  changes: WorkspaceChanges,
  order: CommandOrder,
  approvedBy: ToolContext["approvedBy"],
  signal: AbortSignal,
): Promise<CommandResult> {
  const judgeAndRun = async (): Promise<CommandResult> => {
    refuseDenied(deps, order);
    const { verdict, reasons } = await verdictOn(deps, order);
    if (verdict === "ask" && approvedBy === "terms") throw noLongerCleared(reasons);
    const limits = approvedBy === "terms" ? { maxFileBytes: MAX_UNASKED_FILE_BYTES } : {};
    return await deps.runner.run({ ...order, ...limits }, signal);
  };
  if (approvedBy === "terms") return await changes.lane(signal, judgeAndRun);
  // Contained, it needs nobody to look after it.
  return await ((await deps.runner.isContained()) ? judgeAndRun() : changes.run(order, judgeAndRun));
}

/** The question to the user: the whole command line, where it runs, what it can reach, and why the user is asked. */
export async function commandCard(
  deps: CommandDeps,
  { command, cwd }: CommandLine,
  more: readonly string[] = [],
): Promise<ApprovalText> {
  const { reasons } = deps.judge(command, cwd);
  const { contents, notes } = (await deps.scripts?.(command, cwd)) ?? { contents: [], notes: [] };
  return {
    ...(contents.length === 0 ? {} : { contents }),
    title: `Run ${firstLine(command)}`,
    details: [
      command,
      "",
      `In: ${cwd === "" ? "the workspace" : `${cwd} of the workspace`}`,
      await deps.runner.reach(),
      ...more,
      ...notes,
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
