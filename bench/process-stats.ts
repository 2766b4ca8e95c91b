import { readdirSync, readFileSync } from "node:fs";

/** CPU seconds and resident bytes of a process and all its descendants, as Linux counts them. */
export function readProcessTree(root: number): { readonly cpuSeconds: number; readonly rssBytes: number } {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => readStat(pid));
  const members = new Set([root]);
  for (let grew = true; grew;) {
    const before = members.size;
    for (const stat of stats) if (members.has(stat.parent)) members.add(stat.pid);
    grew = members.size > before;
  }
  const own = stats.filter((stat) => members.has(stat.pid));
  return {
    cpuSeconds: own.reduce((sum, stat) => sum + stat.cpuSeconds, 0),
    rssBytes: own.reduce((sum, stat) => sum + stat.rssBytes, 0),
  };
}

const TICKS_PER_SECOND = 100;

function readStat(pid: string) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
    return [
      {
        pid: Number(pid),
        parent: Number(fields[1]),
        // utime, stime, and those of children already waited for.
        cpuSeconds: [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS_PER_SECOND,
        rssBytes: Number(rss) * 1024,
      },
    ];
  } catch {
    return []; // It ended meanwhile.
  }
}
