import { Console } from "node:console";
import type { Readable } from "node:stream";
import { makeVisible } from "@deputy/kit";
import { locateHome } from "./home.ts";
import type { StopSignal } from "./process/stop-signal.ts";
import { describeCondition } from "./process/report-failure.ts";
import { describeStray } from "./process/stray-errors.ts";
import { guardOutput } from "@deputy/terminal/output";
import { createLineReader, type LineReader } from "@deputy/terminal/output";
import { createOutput, type Output } from "@deputy/terminal/output";

/** What every command gets: its input and output, its home, and the signal to stop. */
export interface Invocation extends Disposable {
  readonly output: Output;
  readonly reader: LineReader;
  readonly homeDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C, SIGTERM, the end of the launcher, or when the output is no longer read. */
  readonly signal: AbortSignal;
  /** Ends the command in order, as SIGTERM does. */
  readonly shutDown: () => void;
  /** Lets a handler get Ctrl-C first. */
  readonly intercept: StopSignal["intercept"];
  readonly stdin: Readable;
  /** Writes to stderr in every mode, for messages that a script needs as well as a person. */
  readonly announce: (text: string) => void;
  /** Writes to stderr in every mode, for problems that the user should fix. */
  readonly warn: (text: string) => void;
  /**
   * Writes unexpected errors to stderr in every mode. A bug inside Deputy is shown with its stack. An error that
   * explains itself, such as a full disk, is shown with its own message, and only once as long as it stays the same.
   */
  readonly onBug: (error: unknown) => void;
  /** Writes errors to stderr in every mode, on one line, that a tool left unhandled. */
  readonly onStray: (error: unknown) => void;
  /**
   * From now on, messages about bugs and unhandled errors go through this: a plugin's error may contain secrets that
   * it was given.
   */
  readonly redactWith: (redact: (text: string) => string) => void;
}

export interface GlobalOptions {
  readonly json?: true;
  readonly home?: string;
}

export function openInvocation(options: GlobalOptions, stop: StopSignal): Invocation {
  const { stdin, stdout, stderr, env } = process;
  guardOutput(stop.shutDown);
  // Stdout is for the command's own output, not for what a plugin prints.
  Object.assign(console, new Console(stderr, stderr));
  const output = createOutput(options.json === true ? "json" : "human", { stdout, stderr });
  const reader = createLineReader({ input: stdin, output: stderr, onInterrupt: stop.interrupt });
  let redact = (text: string): string => text;
  /** The last reported condition: every writer meets a full disk. */
  let told: string | undefined;
  return {
    output,
    reader,
    homeDirectory: locateHome(options.home, env),
    env,
    signal: stop.signal,
    shutDown: stop.shutDown,
    intercept: stop.intercept,
    stdin,
    announce: (text) => void stderr.write(`${makeVisible(text)}\n`),
    warn: (text) => void stderr.write(`deputy: ${makeVisible(text)}\n`),
    onBug(error) {
      const condition = describeCondition(error);
      if (condition === undefined) {
        const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
        stderr.write(`deputy: a bug: ${makeVisible(redact(stack))}\n`);
      } else if (condition !== told) stderr.write(`deputy: ${makeVisible(redact(condition))}\n`);
      told = condition;
    },
    onStray: (error) =>
      void stderr.write(`deputy: ${makeVisible(redact(describeStray(error))).replaceAll("\n", " ")}\n`),
    redactWith(other) {
      redact = other;
    },
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}
