import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { resolve } from "node:path";

const MOST_WORDS = 200;
/** For larger files, the size and the time of the last change are compared. */
const LARGEST_BYTES = 8 * 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;

/**
 * The files that a command line names, each with a hash of what is in it now: a script is what it says, not what
 * it is called. Every word counts that is a file seen from `folder`; what those read in turn does not. Never throws.
 */
export function namedFiles(command: string, folder: string): string {
  const words = command.split(/[\s;|&<>()"'`=,{}]+/).filter((word) => word !== "" && !word.includes("\0"));
  return [...new Set(words)]
    .slice(0, MOST_WORDS)
    .flatMap((word) => {
      const hash = hashOf(resolve(folder, word));
      return hash === undefined ? [] : [`${word} ${hash}`];
    })
    .join("\n");
}

/** Undefined for what is no regular file, or cannot be read. */
function hashOf(path: string): string | undefined {
  let fd: number | undefined;
  try {
    // Does not wait for a process that writes to a pipe.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (!stats.isFile()) return undefined;
    if (stats.size > LARGEST_BYTES) return `${stats.size} bytes of ${stats.mtimeMs}`;
    const hash = createHash("sha256");
    const block = Buffer.alloc(BLOCK_BYTES);
    for (let read = readSync(fd, block); read > 0; read = readSync(fd, block))
      hash.update(block.subarray(0, read));
    return hash.digest("hex");
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
