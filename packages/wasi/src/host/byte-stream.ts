/** Where a program's input comes from, if it is no file. */
export interface ByteSource {
  /**
   * Some bytes, `max` at most; none is the end. A promise is waited for, which needs a program that can be
   * suspended. Rejects when whoever owns the source stops it: then the program ends.
   */
  read(max: number): Uint8Array | Promise<Uint8Array>;
  /** True if `read` would answer at once; a promise of the moment when it would. Left out: it always does. */
  ready?(): true | Promise<void>;
  /** A terminal, as `isatty` tells. */
  readonly terminal?: boolean;
}

/** Where a program's output goes, if it is no file. */
export interface ByteSink {
  /** Takes all of the bytes, which are the sink's to keep. "closed": nobody reads any more. */
  write(bytes: Uint8Array): Taken | Promise<Taken>;
  readonly terminal?: boolean;
}

export type Taken = "taken" | "closed";
