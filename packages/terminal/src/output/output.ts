import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { throwIfAborted, untilStopped } from "@deputy/kit";

/** Where a command writes. With `--json`, stdout carries one JSON object per line and nothing else. */
export interface Output {
  readonly mode: "human" | "json";
  /** The command's result: stdout. */
  result(text: string): void;
  /** Messages on the way: stderr; silent with `--json`. */
  note(text: string): void;
  /** How many columns notes have; absent where that is not known. */
  readonly width?: number | undefined;
  /** Only with `--json`: one object, one line. */
  object(value: unknown): void;
}

export function createOutput(
  mode: Output["mode"],
  streams: {
    readonly stdout: NodeJS.WritableStream;
    readonly stderr: NodeJS.WritableStream & { readonly columns?: number };
  },
): Output {
  return {
    mode,
    get width() {
      return streams.stderr.columns;
    },
    result: (text) => void (mode === "human" && streams.stdout.write(`${text}\n`)),
    note: (text) => void (mode === "human" && streams.stderr.write(`${text}\n`)),
    object: (value) => void (mode === "json" && streams.stdout.write(`${JSON.stringify(value)}\n`)),
  };
}

/** The exit codes of every command. */
export const EXIT = { done: 0, failed: 1, usage: 2, denied: 3 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** How a command answers approvals: yes to all, no to all, or by asking. */
export const approveModes = ["all", "none", "ask"] as const;
export type ApproveMode = (typeof approveModes)[number];

/** Resolves once everything written so far has left this process, or cannot any more. Never rejects. */
export function flush(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => void stream.write("", () => resolve()));
}

/** A pipe's reader has gone, or the terminal has. */
const GONE: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO", "ENXIO", "EBADF", "ECONNRESET"]);

/**
 * A reader may go away at any time (`| head -1`, a window that is closed): what is written after that is dropped, and
 * `onClosed` hears of it. Any other failure of stdout is thrown. One of stderr is not, because nothing could be said
 * about it: whoever reports it would write there.
 */
export function guardOutput(onClosed: () => void): void {
  const { stdout, stderr } = process;
  for (const stream of [stdout, stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (GONE.has(error.code)) onClosed();
      else if (stream === stdout) throw error;
    });
  }
}

/** Lines from a person or a pipe. */
export interface LineReader extends Disposable {
  /**
   * The next line; undefined once the input has ended. Rejects with the signal's reason when it aborts;
   * a line that comes after that answers the next question. One question at a time.
   */
  next(prompt: string, signal: AbortSignal, which?: LineWanted): Promise<string | undefined>;
}

/**
 * `fresh`: text that a person typed before they could see the question is not an answer to it. For a pipe this does
 * not matter: its writer knew the questions.
 */
type LineWanted = "any" | "fresh";

/** Text that was typed before arrives at once; no person reads and answers that fast. */
const DRAIN_MS = 30;

interface OpenedInput {
  readonly lines: AsyncIterator<string>;
  readonly isTyped: boolean;
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
      isTyped: terminal,
      ask(prompt) {
        // In a terminal through the reader, which draws the line again when it is edited.
        reader.setPrompt(prompt);
        if (terminal) reader.prompt(true);
        else output.write(prompt);
      },
      close: () => reader.close(),
    };
  };

  /** Takes lines until none comes at once. An end of the input stays where it is. */
  const drop = async ({ lines }: OpenedInput, signal: AbortSignal): Promise<void> => {
    for (;;) {
      coming ??= lines.next();
      const typed = await untilStopped(Promise.race([coming, nothingFor(DRAIN_MS)]), signal);
      if (typed === "nothing" || typed.done === true) return;
      coming = undefined;
    }
  };

  return {
    async next(prompt, signal, which = "any") {
      throwIfAborted(signal);
      // A reader over an input that has already ended would never say so.
      if (opened === undefined && (input.readableEnded || input.destroyed)) return undefined;
      opened ??= open();
      if (which === "fresh" && opened.isTyped) await drop(opened, signal);
      opened.ask(prompt);
      coming ??= opened.lines.next();
      const line = await untilStopped(coming, signal);
      coming = undefined;
      return line.done === true ? undefined : line.value;
    },
    [Symbol.dispose]: () => opened?.close(),
  };
}

function nothingFor(ms: number): Promise<"nothing"> {
  return new Promise((resolve) => {
    setTimeout(() => resolve("nothing"), ms);
  });
}
