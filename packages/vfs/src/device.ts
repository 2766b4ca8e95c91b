import { fail } from "./file-system-error.ts";

/** What is behind a file in `/dev`. Both methods answer at once, and throw `FileSystemError` alone. */
export interface Device {
  /** Fills some of `into`; 0 is the end. */
  read(into: Uint8Array): number;
  write(from: Uint8Array): number;
}

/** So many bytes that nobody can guess; 65,536 at most. */
export type RandomBytes = (length: number) => Uint8Array;

/** What browsers give at a time. A longer read gets less, as from a pipe. */
const RANDOM_BYTES = 65_536;

/** What every file system has in `/dev`. */
export function standardDevices(random: RandomBytes): Readonly<Record<string, Device>> {
  const swallow = (from: Uint8Array): number => from.length;
  const zeros = (into: Uint8Array): number => {
    into.fill(0);
    return into.length;
  };
  const noise: Device = {
    read(into) {
      const bytes = random(Math.min(into.length, RANDOM_BYTES));
      into.set(bytes);
      return bytes.length;
    },
    write: swallow,
  };
  return {
    null: { read: () => 0, write: swallow },
    zero: { read: zeros, write: swallow },
    full: { read: zeros, write: () => fail("ENOSPC") },
    random: noise,
    urandom: noise,
  };
}
