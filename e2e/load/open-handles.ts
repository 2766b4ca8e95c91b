import { readdirSync, readlinkSync } from "node:fs";

/** What a process has open, as Linux counts it. */
export function openHandles(pid: number): { readonly all: number; readonly sockets: number } {
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return []; // It was closed meanwhile.
    }
  });
  return { all: links.length, sockets: links.filter((link) => link.startsWith("socket:")).length };
}
