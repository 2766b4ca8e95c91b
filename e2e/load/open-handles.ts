import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** `connections` are sockets of the network, and not those to processes that it has started. */
export interface OpenHandles {
  readonly all: number;
  readonly connections: number;
  readonly toProcesses: number;
}

/** What a process has open, as Linux counts it. */
export function openHandles(pid: number): OpenHandles {
  const links = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      return []; // It was closed meanwhile.
    }
  });
  const local = new Set(
    readFileSync(`/proc/${pid}/net/unix`, "utf8")
      .split("\n")
      .map((line) => `socket:[${line.trim().split(/\s+/)[6]}]`),
  );
  const sockets = links.filter((link) => link.startsWith("socket:"));
  const toProcesses = sockets.filter((link) => local.has(link)).length;
  return { all: links.length, connections: sockets.length - toProcesses, toProcesses };
}
