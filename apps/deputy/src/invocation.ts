import { Console } from "node:console";
import type { Readable } from "node:stream";
import { makeVisible } from "@deputy/kit";
import { locateHome } from "./home.ts";
import type { StopSignal } from "./stop-signal.ts";
import { describeCondition } from "./report-failure.ts";
import { describeStray } from "./stray-errors.ts";
import { guardOutput } from "@deputy/terminal/output";
import { createLineReader, type LineReader } from "@deputy/terminal/output";
import { createOutput, type Output } from "@deputy/terminal/output";

/** What every command gets: where to write, what to read, which home, and when to stop. */
export interface Invocation extends Disposable {
  readonly output: Output;
  readonly reader: LineReader;
  readonly homeDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C, SIGTERM, the end of the launcher, or when nobody reads the output any more. */
  readonly signal: AbortSignal;
  /** Ends the command in order, as SIGTERM does. */
  readonly shutDown: () => void;
  /** Has Ctrl-C go to a handler first. */
  readonly intercept: StopSignal["intercept"];
  readonly stdin: Readable;
  /** Something a script needs as well as a person: told on stderr, whatever the mode. */
  readonly announce: (text: string) => void;
  /** Something the user should mend: told on stderr, whatever the mode. */
  readonly warn: (text: string) => void;
  /**
   * What nobody expected: told on stderr, whatever the mode. A bug inside Deputy with its stack; an error that
   * says itself what it is, such as a full disk, in its own words, and once as long as it stays the same.
   */
  readonly onBug: (error: unknown) => void;
  /** What a tool let fly when nobody waited for it: told on stderr, on one line, whatever the mode. */
  readonly onStray: (error: unknown) => void;
  /** From now on, what is told of bugs and strays goes through this: a plugin's error may hold what it was lent. */
  readonly redactWith: (redact: (text: string) => string) => void;
}

export interface GlobalOptions {
  readonly json?: true;
  readonly home?: string;
}

export function openInvocation(options: GlobalOptions, stop: StopSignal): Invocation {
  const { stdin, stdout, stderr, env } = process;
  guardOutput(stop.shutDown);
  // Stdout carries what the command is for; what a plugin prints is not that.
  Object.assign(console, new Console(stderr, stderr));
  const output = createOutput(options.json === true ? "json" : "human", { stdout, stderr });
  const reader = createLineReader({ input: stdin, output: stderr, onInterrupt: stop.interrupt });
  let redact = (text: string): string => text;
  /** The condition that was told last: a full disk is met by everything that writes. */
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
