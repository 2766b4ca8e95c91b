import { type ChildProcess, spawn } from "node:child_process";
import { lstatSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { abortReason, throwIfAborted } from "@deputy/kit";
import { readPath } from "@deputy/workspace/path";
import { ToolsError } from "@deputy/tools";
import type { CommandOrder, CommandResult } from "../bash/command-runner.ts";
import type { CommandPlace } from "../sandbox/command-place.ts";
import type { SandboxAudit } from "../sandbox/sandbox-audit.ts";
import { WORKSPACE } from "./sandbox/probe-sandbox.ts";
import { createLineFeed } from "../shell/line-feed.ts";
import { createKeptOutput, type KeptOutput } from "./kept-output.ts";

/** How long those that hold the output open may still write, once the command itself has ended. */
const DRAIN_MS = 200;

const TIMED_OUT = 124;

/** Runs a command line in bash, and ends everything it leaves behind. See `CommandRunner.run`. */
export async function runCommand(
  order: CommandOrder & { readonly folder: string; readonly env: Readonly<Record<string, string>> },
  options: {
    readonly place: CommandPlace;
    readonly maxOutputBytes: number;
    readonly outputBytes: number;
    readonly nowMs: () => number;
    readonly audit: SandboxAudit;
  },
  signal: AbortSignal,
): Promise<CommandResult> {
  throwIfAborted(signal);
  const { place, nowMs } = options;
  const { command, folder, env } = order;
  const cwd = readPath(order.cwd);
  if (lstatSync(join(folder, cwd), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ToolsError("command_failed", `The workspace has no folder ${cwd}`);
  const { order: entered, command: started } = place.start({
    file: "bash",
    args: ["-c", command],
    env,
    cwd: join(place.nameOf(folder, WORKSPACE), cwd),
    mounts: [{ from: folder, at: WORKSPACE, access: "write" }],
    fileBytes: order.maxFileBytes,
  });
  const startedMs = nowMs();
  const child = spawn(started.file, started.args, {
    cwd: started.cwd,
    env: started.env,
    stdio: [order.input === "open" ? "pipe" : "ignore", "pipe", "pipe"],
    // A process group of its own, so that all of it can be ended at once.
    detached: true,
  });
  const [stdout, stderr] = [
    createKeptOutput(options.maxOutputBytes),
    createKeptOutput(options.maxOutputBytes),
  ];
  const feed = createLineFeed(order.onLine, nowMs);
  let written = 0;
  const take = (kept: KeptOutput, chunk: Buffer): void => {
    kept.add(chunk);
    feed(chunk);
    written += chunk.length;
    if (written > options.outputBytes) end();
  };
  child.stdout?.on("data", (chunk: Buffer) => take(stdout, chunk));
  child.stderr?.on("data", (chunk: Buffer) => take(stderr, chunk));
  // It may have closed its input before everything was written.
  child.stdin?.on("error", () => undefined);
  if (child.pid !== undefined)
    order.onStart?.({
      pid: child.pid,
      output: () => ({ stdout: stdout.text(), stderr: stderr.text() }),
      write: (text, then) => writeTo(child, text, then),
    });

  let timedOut = false;
  let hasEnded = false;
  const end = (): void => killGroup(child);
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, order.timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  try {
    const { code, signalName } = await ended(child);
    const met = started.ended?.() ?? [];
    hasEnded = true;
    const exitCode = timedOut
      ? TIMED_OUT
      : (code ?? 128 + (signalName === null ? 0 : constants.signals[signalName]));
    const why = EXITS[exitCode];
    const denied = [
      ...(timedOut ? [`more time than ${order.timeoutMs} ms`] : []),
      ...(written > options.outputBytes ? [`more output than ${options.outputBytes} bytes`] : []),
      ...(why === undefined ? [] : [why]),
      ...met,
    ];
    const durationMs = Math.round(nowMs() - startedMs);
    options.audit({
      what: "command",
      line: command,
      session: order.session,
      place: place.name,
      order: entered,
      exitCode,
      durationMs,
      denied,
    });
    if (signal.aborted) throw abortReason(signal);
    const [out, err] = [stdout.text(), stderr.text()];
    return {
      stdout: out,
      stderr: err,
      exitCode,
      timedOut,
      cut: { stdout: stdout.cutBytes, stderr: stderr.cutBytes },
      durationMs,
      ...(denied.length > 0 && { stopped: `It wanted ${denied.join(", and ")}.` }),
      sandbox: place.name,
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    end();
    if (!hasEnded) started.ended?.();
  }
}

/** Exit codes that a limit for each process leaves behind. */
const EXITS: Readonly<Record<number, string>> = {
  152: "more time to compute than it may have",
  153: "a longer file than it may write",
};

interface Ended {
  readonly code: number | null;
  readonly signalName: NodeJS.Signals | null;
}

/** Resolves when it has ended and its output is read, or is held open by others for too long. */
function ended(child: ChildProcess): Promise<Ended> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause) =>
      reject(new ToolsError("command_failed", "The command could not be started", { cause })),
    );
    child.once("exit", (code, signalName) => {
      const drained = setTimeout(() => {
        killGroup(child);
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, DRAIN_MS);
      child.once("close", () => {
        clearTimeout(drained);
        resolve({ code, signalName });
      });
    });
  });
}

function writeTo({ stdin }: ChildProcess, text: string, then: "go_on" | "end"): boolean {
  if (stdin === null || !stdin.writable) return false;
  stdin.write(text);
  if (then === "end") stdin.end();
  return true;
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // All of them have ended already.
  }
}
