import type { ByteSource } from "./byte-stream.ts";
import type { OutputDescriptor } from "./descriptor.ts";
import { type HostCalls, type HostContext, ProgramEnd } from "./host-context.ts";
import { RIGHT } from "./rights.ts";
import { toNumber } from "./stat-layout.ts";

/** Reading and writing. Of files at once; of streams when they have something, or room. */
export function transferCalls({ memory, descriptors }: HostContext): HostCalls {
  /** Fills buffers one after the other, until one is not full. */
  const fill = (buffers: readonly Uint8Array[], read: (into: Uint8Array, done: number) => number): number => {
    let done = 0;
    for (const into of buffers) {
      const length = read(into, done);
      done += length;
      if (length < into.length) break;
    }
    return done;
  };

  const readStream = (
    source: ByteSource,
    vectors: number,
    count: number,
    at: number,
  ): void | Promise<void> => {
    const room = memory.vectors(vectors, count).reduce((sum, { length }) => sum + length, 0);
    if (room === 0) return memory.setU32(at, 0);
    const arrived = (bytes: Uint8Array): void => {
      // The buffers are looked up again: while the program waited, its memory was nobody's.
      const length = fill(memory.vectors(vectors, count), (into, done) => {
        const part = bytes.subarray(done, done + into.length);
        into.set(part);
        return part.length;
      });
      memory.setU32(at, length);
    };
    const bytes = source.read(room);
    return bytes instanceof Promise ? bytes.then(arrived) : arrived(bytes);
  };

  const writeStream = (
    { sink }: OutputDescriptor,
    buffers: readonly Uint8Array[],
    at: number,
  ): void | Promise<void> => {
    const bytes = joined(buffers);
    if (bytes.length === 0) return memory.setU32(at, 0);
    const taken = (answer: "taken" | "closed"): void => {
      if (answer === "closed") throw new ProgramEnd({ kind: "signalled", signal: "SIGPIPE" });
      memory.setU32(at, bytes.length);
    };
    const answer = sink.write(bytes);
    return answer instanceof Promise ? answer.then(taken) : taken(answer);
  };

  return {
    fd_read(fd: number, vectors: number, count: number, at: number) {
      const descriptor = descriptors.get(fd, RIGHT.fdRead);
      if (descriptor.kind === "input") return readStream(descriptor.source, vectors, count, at);
      const { file } = descriptors.file(fd, RIGHT.fdRead);
      return memory.setU32(
        at,
        fill(memory.vectors(vectors, count), (into) => file.read(into)),
      );
    },
    fd_write(fd: number, vectors: number, count: number, at: number) {
      const descriptor = descriptors.get(fd, RIGHT.fdWrite);
      const buffers = memory.vectors(vectors, count);
      if (descriptor.kind === "output") return writeStream(descriptor, buffers, at);
      const { file } = descriptors.file(fd, RIGHT.fdWrite);
      return memory.setU32(at, buffers.length === 0 ? 0 : file.write(joined(buffers)));
    },
    fd_pread(fd: number, vectors: number, count: number, offset: bigint, at: number) {
      const { file } = descriptors.file(fd, RIGHT.fdRead | RIGHT.fdSeek);
      const from = toNumber(offset);
      memory.setU32(
        at,
        fill(memory.vectors(vectors, count), (into, done) => file.readAt(into, from + done)),
      );
    },
    fd_pwrite(fd: number, vectors: number, count: number, offset: bigint, at: number) {
      const { file } = descriptors.file(fd, RIGHT.fdWrite | RIGHT.fdSeek);
      memory.setU32(at, file.writeAt(joined(memory.vectors(vectors, count)), toNumber(offset)));
    },
  };
}

/** A copy of all of them, so that whoever is given it may keep it. */
function joined(buffers: readonly Uint8Array[]): Uint8Array {
  const [only] = buffers;
  if (only !== undefined && buffers.length === 1) return only.slice();
  const whole = new Uint8Array(buffers.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const buffer of buffers) {
    whole.set(buffer, at);
    at += buffer.length;
  }
  return whole;
}
