import { Readable } from "node:stream";
import { type AnyMessage, ndJsonStream, type Stream } from "@agentclientprotocol/sdk";

const NEWLINE = 10;

/** The limit for one message of the editor, embedded files included. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * The protocol on stdin and stdout. From here on only the protocol uses stdout, until the process ends: all
 * other output goes to stderr.
 */
export function openStdioStream(): Stream {
  const { stdin, stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  const output = new WritableStream<Uint8Array>({
    write: (bytes) =>
      new Promise<void>((resolve, reject) => {
        write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
  });
  const input = Readable.toWeb(stdin) as ReadableStream<Uint8Array>;
  const { readable, writable } = ndJsonStream(output, input.pipeThrough(createBoundedLines(MAX_LINE_BYTES)), {
    maxMessageBytes: 2 * MAX_LINE_BYTES,
  });
  return { readable, writable: onlyWellFormed(writable) };
}

function onlyWellFormed(writable: WritableStream<AnyMessage>): WritableStream<AnyMessage> {
  const writer = writable.getWriter();
  return new WritableStream({ write: (message) => writer.write(wellFormed(message) as AnyMessage) });
}

/**
 * Passes lines on, with at most this many bytes of each. The reader finds a cut line invalid, says so, and continues
 * with the next line; without the limit, one such line would end the connection.
 */
export function createBoundedLines(maxLineBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let passed = 0;
  return new TransformStream({
    transform(chunk, controller) {
      for (let from = 0; from < chunk.length;) {
        const newline = chunk.indexOf(NEWLINE, from);
        const to = newline < 0 ? chunk.length : newline;
        const part = chunk.subarray(from, Math.min(to, from + maxLineBytes - passed));
        if (part.length > 0) controller.enqueue(part);
        passed += part.length;
        if (newline >= 0) {
          controller.enqueue(chunk.subarray(newline, newline + 1));
          passed = 0;
        }
        from = to + 1;
      }
    },
  });
}

/** The same without half characters, which not every client can read as JSON; they become U+FFFD. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]),
  );
}
