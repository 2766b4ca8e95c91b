import { type ChildProcess, spawn } from "node:child_process";
import { lstatSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { abortReason, throwIfAborted } from "@deputy/kit";
import { readPath } from "@deputy/workspace/path";
import { ToolsError } from "@deputy/tools";
import type { CommandOrder, CommandResult } from "../bash/command-runner.ts";
import type { OuterSandbox } from "../bash/outer-sandbox.ts";
import { createLineFeed } from "../shell/line-feed.ts";
import { createKeptOutput } from "./kept-output.ts";

/** How long those that hold the output open may still write, once the command itself has ended. */
const DRAIN_MS = 200;

const TIMED_OUT = 124;

/** Runs a command line in bash, and ends everything it leaves behind. See `CommandRunner.run`. */
export async function runCommand(
  order: CommandOrder & { readonly folder: string; readonly env: Readonly<Record<string, string>> },
  options: { readonly sandbox: OuterSandbox; readonly maxOutputBytes: number; readonly nowMs: () => number },
  signal: AbortSignal,
): Promise<CommandResult> {
  throwIfAborted(signal);
  const { sandbox, nowMs } = options;
  const { command, folder, env } = order;
  const cwd = readPath(order.cwd);
  if (lstatSync(join(folder, cwd), { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new ToolsError("command_failed", `The workspace has no folder ${cwd}`);
  const args = limitFiles(command, order.maxFileBytes);
  const wrapped = sandbox.wrap({ file: "bash", args, folder, cwd, env });
  const startedMs = nowMs();
  const child = spawn(wrapped.file, wrapped.args, {
    cwd: join(wrapped.folder, wrapped.cwd),
    env: wrapped.env,
    stdio: [order.input === "open" ? "pipe" : "ignore", "pipe", "pipe"],
    // A process group of its own, so that all of it can be ended at once.
    detached: true,
  });
  const [stdout, stderr] = [
    createKeptOutput(options.maxOutputBytes),
    createKeptOutput(options.maxOutputBytes),
  ];
  const feed = createLineFeed(order.onLine, nowMs);
  child.stdout?.on("data", (chunk: Buffer) => (stdout.add(chunk), feed(chunk)));
  child.stderr?.on("data", (chunk: Buffer) => (stderr.add(chunk), feed(chunk)));
  // It may have closed its input before everything was written.
  child.stdin?.on("error", () => undefined);
  if (child.pid !== undefined)
    order.onStart?.({
      pid: child.pid,
      output: () => ({ stdout: stdout.text(), stderr: stderr.text() }),
      write: (text, then) => writeTo(child, text, then),
    });

  let timedOut = false;
  const end = (): void => killGroup(child);
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, order.timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  try {
    const { code, signalName } = await ended(child);
    if (signal.aborted) throw abortReason(signal);
    const [out, err] = [stdout.text(), stderr.text()];
    return {
      stdout: out,
      stderr: err,
      exitCode: timedOut
        ? TIMED_OUT
        : (code ?? 128 + (signalName === null ? 0 : constants.signals[signalName])),
      timedOut,
      cut: { stdout: stdout.cutBytes, stderr: stderr.cutBytes },
      durationMs: Math.round(nowMs() - startedMs),
      sandbox: sandbox.level.name,
    };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Arguments for a bash that runs a command line, in which no file becomes longer than that. */
function limitFiles(command: string, maxFileBytes: number | undefined): readonly string[] {
  if (maxFileBytes === undefined) return ["-c", command];
  const blocks = String(Math.ceil(maxFileBytes / 1_024));
  return ["-c", 'ulimit -f "$1" && exec bash -c "$2"', "bash", blocks, command];
}

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
