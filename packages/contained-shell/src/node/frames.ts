import type { Readable, Writable } from "node:stream";
import { deserialize, serialize } from "node:v8";

/** No message is longer: the largest carry a program, or what a script made. */
const MOST_BYTES = 1024 ** 3;
const HEAD_BYTES = 4;

/** Values between two processes, over a pipe. */
export function writeFrame(to: Writable, value: unknown): void {
  const body = serialize(value);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(body.length);
  to.write(head);
  to.write(body);
}

/** Calls `take` with each value. What is no frame ends with `broken`. */
export function readFrames(
  from: Readable,
  take: (value: unknown) => void,
  broken: (error: unknown) => void,
): void {
  let waiting: Buffer[] = [];
  let filled = 0;
  let needed: number | undefined;
  const cut = (bytes: number): Buffer => {
    const all = Buffer.concat(waiting);
    waiting = [all.subarray(bytes)];
    filled -= bytes;
    return all.subarray(0, bytes);
  };
  from.on("data", (chunk: Buffer) => {
    waiting.push(chunk);
    filled += chunk.length;
    try {
      for (;;) {
        if (needed === undefined) {
          if (filled < HEAD_BYTES) return;
          needed = cut(HEAD_BYTES).readUInt32LE();
          if (needed > MOST_BYTES) throw new Error("A message is too long");
        }
        if (filled < needed) return;
        const body = cut(needed);
        needed = undefined;
        take(deserialize(body));
      }
    } catch (error) {
      from.destroy();
      broken(error);
    }
  });
}
