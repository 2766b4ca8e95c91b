import { type ChildProcess, fork } from "node:child_process";
import { BUNDLE, compiled, SHORT_LIVED, testProgram } from "./repository.ts";

export interface CommandOrder {
  readonly args: readonly string[];
  readonly input: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly launcher: string;
}

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** It has left something open: its process ends, and whatever that is with it. */
  readonly isLast: boolean;
}

/** What Node and the C library read when a process starts. */
const OF_A_PROCESS = /^(?:HOME|PATH|TZ|TMPDIR|LANG|LC_|LD_|NODE_|UV_|MALLOC_|BASH_ENV$|ENV$)/;
const idle: ChildProcess[] = [];

/** Whether a command with these settings needs a process of its own. */
export function needsOwnProcess(env: Readonly<Record<string, string>> = {}): boolean {
  return BUNDLE === undefined || Object.keys(env).some((name) => OF_A_PROCESS.test(name));
}

/** Runs a command in a process that has run others, or in a new one if all are busy. */
export async function runWarm(order: CommandOrder): Promise<CommandEnd> {
  const child = idle.pop() ?? startCommandProcess();
  child.ref();
  const end = await new Promise<CommandEnd>((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`The process of “deputy ${order.args.join(" ")}” ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.removeListener("exit", onExit);
      resolve(message as CommandEnd);
    });
    child.send(order);
  });
  child.unref();
  if (!end.isLast) idle.push(child);
  return end;
}

/** It ends with this process. */
function startCommandProcess(): ChildProcess {
  const { PATH = "", HOME = "" } = process.env;
  const child = fork(testProgram("command-process", "e2e/command-process.ts"), {
    execArgv: [...SHORT_LIVED],
    env: { PATH, HOME, ...compiled() },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    serialization: "advanced",
  });
  child.once("exit", () => {
    const index = idle.indexOf(child);
    if (index >= 0) idle.splice(index, 1);
  });
  child.unref();
  child.channel?.unref();
  return child;
}
