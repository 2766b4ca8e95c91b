import { readdirSync, readFileSync } from "node:fs";

/** The processes that one has started, and theirs, by their command lines. Linux only. */
export function processesBelow(
  parent: number,
): readonly { readonly pid: number; readonly command: string }[] {
  const all = readdirSync("/proc").flatMap((name) => {
    try {
      const [, rest = ""] = readFileSync(`/proc/${name}/stat`, "utf8").split(") ");
      const command = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      return [{ pid: Number(name), parent: Number(rest.split(" ")[1]), command }];
    } catch {
      return [];
    }
  });
  const found = new Set([parent]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const one of all) if (found.has(one.parent)) found.add(one.pid);
  }
  return all.filter(({ pid }) => pid !== parent && found.has(pid));
}
