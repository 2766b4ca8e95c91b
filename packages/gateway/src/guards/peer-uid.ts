import { readFileSync } from "node:fs";
import type { Socket } from "node:net";

/** The user whose program is at the other end of a local connection; undefined if unknown. */
export type PeerUid = (socket: Pick<Socket, "remotePort" | "localPort">) => number | undefined;

/** The kernel's tables of connections, both ends of each. */
const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"] as const;
/** 127.0.0.0/8 and ::1, and the former mapped into IPv6, as these tables write them. */
const LOOPBACK = /^(?:[0-9A-F]{6}7F|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F)$/;

/** Works only on Linux. Takes about a millisecond, so it is called only after wrong tokens. */
export function createPeerUid(read: (file: string) => string = readTable): PeerUid {
  return ({ remotePort, localPort }) => {
    if (remotePort === undefined || localPort === undefined) return undefined;
    const [theirs, ours] = [hexPort(remotePort), hexPort(localPort)];
    for (const table of TABLES)
      for (const line of read(table).split("\n").slice(1)) {
        const [, local = "", remote = "", , , , , uid] = line.trim().split(/\s+/);
        if (isEnd(local, theirs) && isEnd(remote, ours)) return Number(uid);
      }
    return undefined;
  };
}

function isEnd(end: string, port: string): boolean {
  const [address = "", at] = end.split(":");
  return at === port && LOOPBACK.test(address);
}

function hexPort(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, "0");
}

function readTable(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
