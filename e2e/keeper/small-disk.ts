import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Where a file system can be mounted for a test. */
export const CAN_MOUNT = process.platform === "linux" && process.getuid?.() === 0;

const PAGE = 4_096;

/** A small file system of its own, so that it can be filled. */
export interface SmallDisk extends Disposable {
  /** Takes all the space there is, but for so many pages. */
  fill(pagesLeft: number): void;
  free(): void;
}

export function mountSmallDisk(path: string, megabytes: number): SmallDisk {
  mkdirSync(path);
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m,mode=0700`, "tmpfs", path]);
  const filler = join(path, "filler");
  return {
    fill(pagesLeft) {
      const file = openSync(filler, "w");
      let bytes = 0;
      for (const size of [64 * PAGE, PAGE])
        try {
          for (;;) bytes += writeSync(file, Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        }
      ftruncateSync(file, Math.max(0, bytes - pagesLeft * PAGE));
      closeSync(file);
    },
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]: () => void execFileSync("umount", ["-l", path]),
  };
}
