import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import { type ContainedResult, type ContainedShell, exitCodeOf } from "@deputy/contained-shell";
import { isWholeScript } from "@deputy/shell";
import type { Workspace } from "@deputy/workspace";
import type { Home } from "../home.ts";
import type { Invocation } from "../invocation.ts";
import { completeLine } from "./complete-line.ts";

const HISTORY = "shell-history";
const MOST_HISTORY = 1_000;
const WORKSPACE = "/workspace";

/**
 * A shell to type in: with history, completion, and Ctrl-C for the command that runs. What a line did to the files is
 * kept when it has ended. Resolves with the last status, or with that of `exit`.
 */
export async function runTyped(deps: {
  readonly invocation: Invocation;
  readonly home: Pick<Home, "directory">;
  readonly shell: ContainedShell;
  readonly workspace: Pick<Workspace, "list">;
  readonly keep: (done: ContainedResult) => Promise<void>;
}): Promise<number> {
  const { invocation, workspace } = deps;
  const historyFile = join(deps.home.directory, HISTORY);
  let cwd = WORKSPACE;
  let status = 0;
  const openReader = (): Interface => {
    const reader = createInterface({
      input: invocation.stdin,
      output: process.stdout,
      terminal: true,
      history: readHistory(historyFile),
      historySize: MOST_HISTORY,
      removeHistoryDuplicates: true,
      completer: (line: string, done: (error: null, found: [string[], string]) => void) =>
        void completeLine(line, cwd, workspace, invocation.signal).then((found) => done(null, found)),
    });
    reader.on("history", (past: string[]) => {
      // What a command reads is no command.
      if (lines.isRunning()) past.shift();
      else writeHistory(historyFile, past);
    });
    return reader;
  };
  const lines: Lines = createLines(
    openReader,
    () => "readableEnded" in invocation.stdin && invocation.stdin.readableEnded,
  );
  await using session = deps.shell.open();
  try {
    let script = "";
    for (;;) {
      const line = await lines.next(script === "" ? `${shown(cwd)}$ ` : "> ");
      if (line === "interrupted") {
        script = "";
        continue;
      }
      if (line === undefined || invocation.signal.aborted) return status;
      script += `${line.text}\n`;
      if (!isWholeScript(script)) continue;
      const whole = script;
      script = "";
      if (whole.trim() === "") continue;
      const stop = new AbortController();
      using _ctrlC = lines.onInterrupt(() => stop.abort(new DOMException("Interrupted", "AbortError")));
      try {
        const done = await session.run(
          { script: whole },
          {
            input: () => lines.bytes(),
            output: (stream, bytes) => void (stream === 1 ? process.stdout : process.stderr).write(bytes),
          },
          AbortSignal.any([stop.signal, invocation.signal]),
        );
        await deps.keep(done);
        status = exitCodeOf(done);
        // What reached a limit ended its shell, too.
        cwd = done.end.kind === "limit" ? WORKSPACE : done.cwd;
        if (done.exited) return status;
      } catch (error) {
        if (!stop.signal.aborted) throw error;
        status = 130;
        // The shell goes on where it was; one that had to be ended begins anew.
        ({ cwd } = await session.run({ script: "" }, { output: () => undefined }, invocation.signal));
      }
    }
  } finally {
    lines.close();
  }
}

interface Lines {
  next(prompt: string): Promise<{ readonly text: string } | "interrupted" | undefined>;
  /** A line for a command that reads; nothing at the end of the input. */
  bytes(): Promise<Uint8Array>;
  onInterrupt(stop: () => void): Disposable;
  /** From `onInterrupt` until that is disposed. */
  isRunning(): boolean;
  close(): void;
}

/**
 * The lines that a person types, for whoever waits for one. Ctrl-D ends the input of a command that reads, and the shell
 * only where that waits for a command: then a new reader takes the place of the one that it closed.
 */
function createLines(openReader: () => Interface, hasEnded: () => boolean): Lines {
  let reader = openReader();
  const typed: string[] = [];
  let closed = false;
  let waiting: ((line: string | undefined) => void) | undefined;
  let stop: (() => void) | undefined;
  const give = (line: string): void => {
    const take = waiting;
    waiting = undefined;
    if (take === undefined) typed.push(line);
    else take(line);
  };
  let interrupted = false;
  let ending = false;
  const listen = (): void => {
    reader.on("line", give);
    reader.on("close", () => {
      const take = waiting;
      waiting = undefined;
      if (stop !== undefined && !ending && !hasEnded()) {
        reader = openReader();
        reader.setPrompt("");
        listen();
      } else closed = true;
      take?.(undefined);
    });
    reader.on("SIGINT", () => {
      process.stdout.write("^C\n");
      if (stop !== undefined) stop();
      else {
        interrupted = true;
        // Forgets what was typed so far.
        reader.write(null, { ctrl: true, name: "u" });
        give("");
      }
    });
  };
  listen();
  const wait = async (): Promise<string | undefined> => {
    const there = typed.shift();
    if (there !== undefined) return there;
    if (closed) return undefined;
    return await new Promise<string | undefined>((resolve) => {
      waiting = resolve;
    });
  };
  return {
    async next(prompt) {
      reader.setPrompt(prompt);
      if (!closed) reader.prompt();
      const text = await wait();
      if (interrupted) {
        interrupted = false;
        return "interrupted";
      }
      return text === undefined ? undefined : { text };
    },
    async bytes() {
      const text = await wait();
      return text === undefined ? new Uint8Array(0) : new TextEncoder().encode(`${text}\n`);
    },
    onInterrupt(handler) {
      stop = handler;
      return {
        [Symbol.dispose]() {
          stop = undefined;
        },
      };
    },
    isRunning: () => stop !== undefined,
    close() {
      ending = true;
      reader.close();
    },
  };
}

function shown(cwd: string): string {
  return cwd === WORKSPACE ? "workspace" : cwd.startsWith(`${WORKSPACE}/`) ? cwd.slice(1) : cwd;
}

function readHistory(file: string): string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch {
    return [];
  }
}

/** What cannot be written is not remembered, which stops nobody from working. */
function writeHistory(file: string, lines: readonly string[]): void {
  try {
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
  } catch {
    return;
  }
}
