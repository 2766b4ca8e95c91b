import { statSync } from "node:fs";

/** Changes whenever the file does, or who may read it; undefined when there is none. */
export function stampOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? undefined : `${stat.ino} ${stat.mtimeNs} ${stat.size} ${stat.mode}`;
}
