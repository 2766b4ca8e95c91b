import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** The address of the home's running daemon. It is only a hint: readers check it with `/health`. */
const daemonSchema = z.object({ url: z.url(), pid: z.int() });
export type DaemonAddress = z.infer<typeof daemonSchema>;

const fileIn = (home: string): string => join(home, "daemon.json");

export function writeDaemonFile(home: string, address: DaemonAddress): void {
  writeFileSync(fileIn(home), `${JSON.stringify(address)}\n`, { mode: 0o600 });
}

export function removeDaemonFile(home: string): void {
  rmSync(fileIn(home), { force: true });
}

/** Undefined when there is none, or it is invalid. */
export function readDaemonFile(home: string): DaemonAddress | undefined {
  try {
    return daemonSchema.safeParse(JSON.parse(readFileSync(fileIn(home), "utf8"))).data;
  } catch {
    return undefined;
  }
}
