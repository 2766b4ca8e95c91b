/* oxlint-disable no-unmodified-loop-condition -- the other end changes them meanwhile */
import { BrokenPipe, type Channel } from "./channel.ts";

/** So much waits in a pipe before its writer has to. */
export const PIPE_CAPACITY = 65_536;

const NOTHING = new Uint8Array(0);

export interface Pipe {
  readonly reader: Channel;
  readonly writer: Channel;
}

/** Two ends with back-pressure: writers wait while it is full, readers while it is empty. */
export function createPipe(): Pipe {
  let chunks: Uint8Array[] = [];
  let size = 0;
  let readers = 1;
  let writers = 1;
  let waiting: (() => void)[] = [];
  const wake = (): void => {
    const all = waiting;
    waiting = [];
    for (const each of all) each();
  };
  const changed = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));

  const take = (max: number): Uint8Array => {
    const first = chunks[0] ?? NOTHING;
    const some = first.subarray(0, max);
    if (some.length === first.length) chunks.shift();
    else chunks[0] = first.subarray(some.length);
    size -= some.length;
    wake();
    return some;
  };
  const takeLater = async (max: number): Promise<Uint8Array> => {
    while (size === 0 && writers > 0) await changed();
    return size === 0 ? NOTHING : take(max);
  };
  const drained = async (): Promise<void> => {
    while (size >= PIPE_CAPACITY && readers > 0) await changed();
    if (readers === 0) throw new BrokenPipe();
  };

  const reader: Channel = {
    readable: true,
    writable: false,
    isTerminal: false,
    read: (max) => (size > 0 ? take(max) : writers === 0 ? NOTHING : takeLater(max)),
    write: () => undefined,
    unread(bytes) {
      if (bytes.length === 0) return;
      chunks.unshift(bytes);
      size += bytes.length;
      wake();
    },
    hold() {
      readers += 1;
      return reader;
    },
    release() {
      readers -= 1;
      if (readers > 0) return;
      chunks = [];
      size = 0;
      wake();
    },
  };
  const writer: Channel = {
    readable: false,
    writable: true,
    isTerminal: false,
    read: () => NOTHING,
    write(bytes) {
      if (readers === 0) throw new BrokenPipe();
      if (bytes.length === 0) return undefined;
      chunks.push(bytes.slice());
      size += bytes.length;
      wake();
      return size >= PIPE_CAPACITY ? drained() : undefined;
    },
    unread: () => undefined,
    hold() {
      writers += 1;
      return writer;
    },
    release() {
      writers -= 1;
      if (writers === 0) wake();
    },
  };
  return { reader, writer };
}
