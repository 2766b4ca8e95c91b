import { abortReason } from "@deputy/kit";
import { z } from "zod";
import { defineTool } from "@deputy/tools";
import type { Tool, ToolContext, ToolTree } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";
import {
  type CommandDeps,
  commandCard,
  commandCircumstances,
  commandGrounds,
  commandTerms,
  firstLine,
  refuseDenied,
  runJudged,
} from "../bash/judged-command.ts";
import type { WorkspaceChanges } from "../bash/workspace-changes.ts";
import type { Process, ProcessRegistry, ProcessState } from "./process-registry.ts";

export interface ExecDeps extends CommandDeps {
  /** Rejects with `not_available` where nothing is run. */
  readonly processes: () => Promise<ProcessRegistry>;
}

const DEFAULT_TIMEOUT_MS = 30 * 60_000;
const LONGEST_TIMEOUT_MS = 6 * 60 * 60_000;
const DEFAULT_YIELD_MS = 10_000;
const LONGEST_WAIT_MS = 120_000;

const processId = z.string().max(100).describe("As exec gave it");
const outcome = {
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.int().optional().describe("Absent while it runs, and when it was killed"),
  timedOut: z.boolean().optional(),
  stopped: z.string().optional().describe("The limits that it met"),
  error: z.string().optional().describe("Why it could not be run, or not to its end"),
};
const execResult = z.object({
  status: z.enum(["ended", "running"]),
  processId: z.string().optional().describe("Of one that goes on: for tools.process"),
  ...outcome,
});
const processResult = z.object({
  processId: z.string(),
  command: z.string(),
  status: z.enum(["ended", "running"]),
  ...outcome,
});

/** `tools.exec`: a command that may go on in the background. */
export function execTool(deps: ExecDeps, changes: WorkspaceChanges): Tool {
  return defineTool({
    description:
      "Run a shell command in the workspace that may take long, such as tests, a build or a server: after yieldMs it goes on in the background, and you are told when it ends",
    approval: "required",
    effect: "destructive",
    terms: (input) => commandTerms(deps, input),
    grantable: "input",
    anyValues: true,
    circumstances: (input) => commandCircumstances(deps, changes, input),
    grounds: (input) => commandGrounds(deps, changes, input),
    boundInPlans: "grounds",
    idempotent: false,
    throws: [
      "command_denied",
      "command_not_cleared",
      "command_failed",
      "sandbox_unavailable",
      "too_many_processes",
    ],
    args: z.object({
      command: z.string().min(1).max(100_000),
      cwd: z.string().max(4_096).default("").describe("A folder of the workspace"),
      yieldMs: z
        .int()
        .min(0)
        .max(LONGEST_WAIT_MS)
        .default(DEFAULT_YIELD_MS)
        .describe("How long its end is waited for"),
      background: z.boolean().default(false).describe("Do not wait at all"),
      stdin: z.boolean().default(false).describe("Keep its input open for process.write"),
      timeoutMs: z.int().min(100).max(LONGEST_TIMEOUT_MS).default(DEFAULT_TIMEOUT_MS),
    }),
    returns: execResult,
    run: async (input, { signal, progress, approvedBy, ...context }) => {
      refuseDenied(deps, input);
      // A command that ran without a question keeps others from the files, so it gets no more time than bash.run
      // would.
      const timeoutMs = approvedBy === "terms" ? Math.min(input.timeoutMs, deps.timeoutMs) : input.timeoutMs;
      let onLine = progress;
      const order = {
        command: input.command,
        cwd: input.cwd,
        session: context.session,
        timeoutMs,
        input: input.stdin ? "open" : "none",
        onLine: (line: string) => onLine(line),
      } as const;
      const processes = await deps.processes();
      const started = processes.start({
        session: sessionOf(context),
        command: input.command,
        run: (ending, onStart) => runJudged(deps, changes, { ...order, onStart }, approvedBy, ending),
      });
      const state = await waitOrKill(started, input.background ? 0 : input.yieldMs, signal);
      // The call is over, so there is nothing left to show progress in.
      onLine = () => undefined;
      if (state.kind === "failed") throw state.error;
      if (state.kind === "ended") return { status: "ended" as const, ...describeEnd(started) };
      started.leave();
      return { status: "running" as const, processId: started.id, ...describeEnd(started) };
    },
    formatApproval: (input) =>
      commandCard(deps, input, [
        `It may go on in the background, for ${Math.ceil(input.timeoutMs / 60_000)} min at most.`,
        ...(input.stdin ? ["Its input stays open: what is written to it is asked about each time."] : []),
      ]),
  });
}

/** `tools.process`: what commands in the background do. */
export function processTools(deps: Pick<ExecDeps, "processes">): ToolTree {
  const find = async (id: string, context: SessionContext): Promise<Process> =>
    (await deps.processes()).find(sessionOf(context), id);
  return {
    list: defineTool({
      description:
        "List the commands of this session that are running in the background, and those that ended in the last half hour",
      approval: "auto",
      effect: "read",
      isLocal: true,
      args: z.object({}),
      returns: z.array(processResult.omit({ stdout: true, stderr: true }).extend({ startedAt: z.string() })),
      run: async (_input, context) => (await deps.processes()).list(sessionOf(context)).map(summarise),
    }),
    log: defineTool({
      description:
        "Read the output of a command in the background, such as a server, and whether it is still running",
      approval: "auto",
      effect: "read",
      isLocal: true,
      throws: ["process_not_found"],
      args: z.object({ processId }),
      returns: processResult,
      run: async (input, context) => describe(await find(input.processId, context)),
    }),
    wait: defineTool({
      description: "Waits for a command in the background to end, or for so long",
      approval: "auto",
      effect: "read",
      isLocal: true,
      throws: ["process_not_found"],
      args: z.object({ processId, ms: z.int().min(0).max(LONGEST_WAIT_MS).default(DEFAULT_YIELD_MS) }),
      returns: processResult,
      run: async (input, context) => {
        const found = await find(input.processId, context);
        await found.wait(input.ms, context.signal);
        return describe(found);
      },
    }),
    write: defineTool({
      description: "Writes to the input of a command in the background that was started with stdin",
      // To a shell, this is a command.
      approval: "required",
      effect: "destructive",
      grantable: "input",
      idempotent: false,
      throws: ["process_not_found", "process_not_writable"],
      args: z.object({
        processId,
        text: z.string().max(100_000),
        end: z.boolean().default(false).describe("Close its input then"),
      }),
      returns: z.object({ written: z.int() }),
      run: async (input, context) => {
        const found = await find(input.processId, context);
        if (!found.write(input.text, input.end ? "end" : "go_on"))
          throw new ToolsError("process_not_writable", "It has ended, or its input is not open", {
            hint: "Start it with stdin: true.",
            quotes: [],
          });
        return { written: input.text.length };
      },
      formatApproval: (input) => ({
        title: `Write to the process ${input.processId}: ${firstLine(input.text)}`,
        details: `${input.text}\n\nIt reads this as if it were typed: a shell would run it.`,
      }),
    }),
    kill: defineTool({
      description: "Stop a command in the background, such as a server, and everything it started",
      approval: "auto",
      effect: "write",
      critical: [],
      idempotent: true,
      throws: ["process_not_found"],
      args: z.object({ processId }),
      returns: processResult,
      run: async (input, context) => {
        const found = await find(input.processId, context);
        await found.kill();
        return describe(found);
      },
    }),
  };
}

type SessionContext = Pick<ToolContext, "session" | "sessionKey">;

function sessionOf({ session, sessionKey }: SessionContext): string {
  return session ?? sessionKey;
}

/** A call that is stopped while it waits takes its command with it. */
async function waitOrKill(started: Process, ms: number, signal: AbortSignal): Promise<ProcessState> {
  try {
    return await started.wait(ms, signal);
  } catch {
    await started.kill();
    throw abortReason(signal);
  }
}

function describe(one: Process) {
  const status = one.state().kind === "running" ? ("running" as const) : ("ended" as const);
  return { processId: one.id, command: one.command, status, ...describeEnd(one) };
}

function summarise(one: Process) {
  const { stdout: _stdout, stderr: _stderr, ...told } = describe(one);
  return { ...told, startedAt: new Date(one.startedAtMs).toISOString() };
}

function describeEnd(one: Process) {
  const state = one.state();
  const { stdout, stderr } = one.output();
  if (state.kind === "ended") {
    const { exitCode, timedOut, stopped } = state.result;
    return { stdout, stderr, exitCode, timedOut, ...(stopped !== undefined && { stopped }) };
  }
  if (state.kind === "failed") return { stdout, stderr, error: describeFailure(state.error) };
  return { stdout, stderr };
}

function describeFailure(error: unknown): string {
  return error instanceof Error ? error.message : "It failed without a message";
}
