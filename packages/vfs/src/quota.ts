import { fail } from "./file-system-error.ts";

/** What a file system holds at most. What a base holds does not count until it is written to. */
export interface FileSystemLimits {
  /** All files together, holes included: ENOSPC. */
  readonly bytes: number;
  /** All names together: ENOSPC. */
  readonly files: number;
  /** One file: EFBIG. */
  readonly fileBytes: number;
  /** Open descriptions: EMFILE. */
  readonly open: number;
}

export const defaultFileSystemLimits: FileSystemLimits = {
  bytes: 512 * 1024 * 1024,
  files: 200_000,
  fileBytes: 256 * 1024 * 1024,
  open: 4096,
};

/** Counts what is held. Each `take` checks before it counts. */
export interface Quota {
  readonly limits: FileSystemLimits;
  readonly held: { bytes: number; files: number; open: number };
  /** `size` is what one file would have, and `more` what it would take of the whole. Both may shrink. */
  takeBytes(size: number, more: number): void;
  takeName(): void;
  takeOpen(): void;
}

export function createQuota(limits: FileSystemLimits): Quota {
  const held = { bytes: 0, files: 0, open: 0 };
  return {
    limits,
    held,
    takeBytes(size, more) {
      if (size > limits.fileBytes) fail("EFBIG");
      if (more > 0 && held.bytes + more > limits.bytes) fail("ENOSPC");
      held.bytes += more;
    },
    takeName() {
      if (held.files >= limits.files) fail("ENOSPC");
      held.files += 1;
    },
    takeOpen() {
      if (held.open >= limits.open) fail("EMFILE");
      held.open += 1;
    },
  };
}
