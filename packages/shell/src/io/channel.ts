/** Where bytes come from. */
export interface ByteSource {
  /** At most `max` bytes; none at the end. A promise only if nothing is there yet. */
  read(max: number): Uint8Array | Promise<Uint8Array>;
}

/** Where bytes go. */
export interface ByteSink {
  /** Takes all bytes at once; a promise says when there is room for more. Throws `BrokenPipe` if nobody reads. */
  write(bytes: Uint8Array): void | Promise<void>;
}

/** What is behind a descriptor. It is closed when every holder has let go of it. */
export interface Channel extends ByteSource, ByteSink {
  readonly readable: boolean;
  readonly writable: boolean;
  /** Puts bytes back that were read too many. */
  unread(bytes: Uint8Array): void;
  /** One more holder. */
  hold(): Channel;
  release(): void;
  readonly isTerminal: boolean;
}

/** Nobody reads any more: what POSIX calls EPIPE. */
export class BrokenPipe extends Error {
  constructor() {
    super("Broken pipe");
  }
}

const NOTHING = new Uint8Array(0);

/** A source and a sink of the caller as a channel. */
export function wrapStreams(streams: {
  readonly source?: ByteSource;
  readonly sink?: ByteSink;
  readonly isTerminal?: boolean;
}): Channel {
  let back: Uint8Array = NOTHING;
  const { source, sink } = streams;
  const channel: Channel = {
    readable: source !== undefined,
    writable: sink !== undefined,
    isTerminal: streams.isTerminal === true,
    read(max) {
      if (back.length > 0) {
        const some = back.subarray(0, max);
        back = back.subarray(some.length);
        return some;
      }
      return source?.read(max) ?? NOTHING;
    },
    write: (bytes) => sink?.write(bytes),
    unread(bytes) {
      back = joinChunks([bytes, back]);
    },
    hold: () => channel,
    release: () => undefined,
  };
  return channel;
}

/** Bytes to read, as from a here-document. */
export function fromBytes(bytes: Uint8Array): Channel {
  let at = 0;
  const channel: Channel = {
    readable: true,
    writable: false,
    isTerminal: false,
    read(max) {
      const some = bytes.subarray(at, at + max);
      at += some.length;
      return some;
    },
    write: () => undefined,
    unread(some) {
      at -= some.length;
    },
    hold: () => channel,
    release: () => undefined,
  };
  return channel;
}

/** Keeps what is written. `full` is called when more than `limit` bytes have come, and throws. */
export function createCollector(limit: number, full: () => never): Channel & { take(): Uint8Array } {
  let chunks: Uint8Array[] = [];
  let size = 0;
  const channel = {
    readable: false,
    writable: true,
    isTerminal: false,
    read: () => NOTHING,
    write(bytes: Uint8Array): void {
      size += bytes.length;
      if (size > limit) full();
      chunks.push(bytes.slice());
    },
    unread: () => undefined,
    hold: (): Channel => channel,
    release: () => undefined,
    take(): Uint8Array {
      const all = joinChunks(chunks);
      chunks = [];
      size = 0;
      return all;
    },
  };
  return channel;
}

export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (chunks.length === 1 && only !== undefined) return only;
  const all = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
