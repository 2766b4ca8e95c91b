import { readFileSync } from "node:fs";

const PAGE_BYTES = 4096;

/** How much memory a process holds, in a system with `/proc`; undefined elsewhere, or when it is gone. */
export function residentBytes(pid: number | undefined): number | undefined {
  try {
    const [, residentPages] = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ");
    return Number(residentPages) * PAGE_BYTES;
  } catch {
    return undefined;
  }
}
