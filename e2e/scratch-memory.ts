import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const NAME = /^deputy-tests-(\d+)$/;
/** What all files of a run together never need: installed packages, browser profiles and homes. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * A folder in memory for what tests write, if the machine has one that is large enough and may hold programs.
 * Tests kill processes and have syncs refused, but none cuts the power: what a killed process has written is there
 * afterwards in memory as on a disk, and nobody waits for a disk. Returns undefined where there is no such folder.
 */
export function openScratchMemory(): (Disposable & { readonly path: string }) | undefined {
  if (process.platform !== "linux" || !existsSync(MEMORY)) return undefined;
  removeLeftBehind();
  const path = join(MEMORY, `deputy-tests-${process.pid}`);
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < NEEDED_BYTES) return undefined;
    mkdirSync(path);
    // Some tests run programs as another user, who must get to a folder in it.
    chmodSync(path, 0o711);
    const program = join(path, "program");
    writeFileSync(program, "#!/bin/sh\n");
    chmodSync(program, 0o700);
    execFileSync(program);
  } catch {
    remove();
    return undefined;
  }
  return { path, [Symbol.dispose]: remove };
}

/** What runs that were killed could not remove would be held until the machine is started again. */
function removeLeftBehind(): void {
  for (const name of readdirSync(MEMORY)) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      rmSync(join(MEMORY, name), { recursive: true, force: true });
  }
}
