import { locateHome } from "./home.ts";
import { createLineReader, type LineReader } from "./terminal/line-reader.ts";
import { createOutput, type Output } from "./terminal/output.ts";

/** What every command gets: where to write, what to read, which home, and when to stop. */
export interface Invocation extends Disposable {
  readonly output: Output;
  readonly reader: LineReader;
  readonly homeDirectory: string;
  readonly env: NodeJS.ProcessEnv;
  /** Aborted by Ctrl-C, SIGTERM, or the end of the launcher. */
  readonly signal: AbortSignal;
  readonly stdin: NodeJS.ReadableStream;
  /** A bug inside Deputy: told on stderr, with its stack, whatever the mode. */
  readonly onBug: (error: unknown) => void;
}

export interface GlobalOptions {
  readonly json?: true;
  readonly home?: string;
}

export function openInvocation(
  options: GlobalOptions,
  signal: AbortSignal,
  interrupt: () => void,
): Invocation {
  const { stdin, stdout, stderr, env } = process;
  const output = createOutput(options.json === true ? "json" : "human", { stdout, stderr });
  const reader = createLineReader({ input: stdin, output: stderr, onInterrupt: interrupt });
  return {
    output,
    reader,
    homeDirectory: locateHome(options.home, env),
    env,
    signal,
    stdin,
    onBug: (error) =>
      void stderr.write(
        `deputy: a bug: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      ),
    [Symbol.dispose]: () => reader[Symbol.dispose](),
  };
}
