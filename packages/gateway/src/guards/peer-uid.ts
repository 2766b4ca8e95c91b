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
    const ends = new RegExp(
      `^ *\\d+: (?<theirs>\\w+):${hexPort(remotePort)} (?<ours>\\w+):${hexPort(localPort)} (?:\\S+ +){4}(?<uid>\\d+) `,
      "gm",
    );
    for (const table of TABLES)
      for (const { groups } of read(table).matchAll(ends))
        if (LOOPBACK.test(groups?.["theirs"] ?? "") && LOOPBACK.test(groups?.["ours"] ?? ""))
          return Number(groups?.["uid"]);
    return undefined;
  };
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
