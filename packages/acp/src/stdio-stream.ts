import { Readable } from "node:stream";
import { type AnyMessage, ndJsonStream, type Stream } from "@agentclientprotocol/sdk";
import { createBoundedLines } from "./bounded-lines.ts";
import { wellFormed } from "./well-formed.ts";

/** Of one message of the editor's, embedded files included. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * The protocol on stdin and stdout. From here on stdout is the protocol's alone, until the process ends:
 * what anything else in it prints goes to stderr.
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
