import { createInterface } from "node:readline";

/** Lines from a person or a pipe. */
export interface LineReader extends Disposable {
  /** The next line; undefined once the input has ended. Rejects with the signal's reason when it aborts. */
  next(prompt: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Reads nothing until the first question, so that a command which asks nothing leaves its input alone. */
export function createLineReader(streams: {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
  readonly onInterrupt: () => void;
}): LineReader {
  let opened: { readonly lines: AsyncIterator<string>; close(): void } | undefined;

  const open = () => {
    const terminal = streams.input.isTTY === true;
    const reader = createInterface({
      input: streams.input,
      output: terminal ? streams.output : undefined,
      terminal,
    });
    reader.on("SIGINT", streams.onInterrupt);
    return { lines: reader[Symbol.asyncIterator](), close: () => reader.close() };
  };

  return {
    async next(prompt, signal) {
      signal.throwIfAborted();
      opened ??= open();
      streams.output.write(prompt);
      const { promise: stopped, reject } = Promise.withResolvers<never>();
      const stop = (): void => reject(signal.reason as Error);
      signal.addEventListener("abort", stop, { once: true });
      try {
        const line = await Promise.race([opened.lines.next(), stopped]);
        return line.done === true ? undefined : line.value;
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    [Symbol.dispose]: () => opened?.close(),
  };
}
