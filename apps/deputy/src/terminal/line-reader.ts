import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { throwIfAborted } from "@deputy/kit";
import { untilStopped } from "../until-stopped.ts";

/** Lines from a person or a pipe. */
export interface LineReader extends Disposable {
  /**
   * The next line; undefined once the input has ended. Rejects with the signal's reason when it aborts;
   * a line that comes after that answers the next question. One question at a time.
   */
  next(prompt: string, signal: AbortSignal): Promise<string | undefined>;
}

interface OpenedInput {
  readonly lines: AsyncIterator<string>;
  ask(prompt: string): void;
  close(): void;
}

/** Reads nothing until the first question, so that a command which asks nothing leaves its input alone. */
export function createLineReader(streams: {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
  readonly onInterrupt: () => void;
}): LineReader {
  const { input, output } = streams;
  let opened: OpenedInput | undefined;
  let coming: Promise<IteratorResult<string>> | undefined;

  const open = (): OpenedInput => {
    const terminal = input.isTTY === true;
    const reader = createInterface({ input, output: terminal ? output : undefined, terminal });
    reader.on("SIGINT", streams.onInterrupt);
    return {
      lines: reader[Symbol.asyncIterator](),
      ask(prompt) {
        // In a terminal through the reader, which draws the line again when it is edited.
        reader.setPrompt(prompt);
        if (terminal) reader.prompt(true);
        else output.write(prompt);
      },
      close: () => reader.close(),
    };
  };

  return {
    async next(prompt, signal) {
      throwIfAborted(signal);
      // A reader over an input that has already ended would never say so.
      if (opened === undefined && (input.readableEnded || input.destroyed)) return undefined;
      opened ??= open();
      opened.ask(prompt);
      coming ??= opened.lines.next();
      const line = await untilStopped(coming, signal);
      coming = undefined;
      return line.done === true ? undefined : line.value;
    },
    [Symbol.dispose]: () => opened?.close(),
  };
}
