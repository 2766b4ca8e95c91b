import { statSync } from "node:fs";

/** Changes whenever the file or its permissions do; undefined when there is no file. */
export function stampOf(file: string): string | undefined {
  const stat = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? undefined : `${stat.ino} ${stat.mtimeNs} ${stat.size} ${stat.mode}`;
}
