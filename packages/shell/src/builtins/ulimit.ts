import type { Shell } from "../run/shell.ts";
import { type BuiltinTable, refuse, say } from "./builtin.ts";

/** A limit as a script set it; undefined is `unlimited`. */
export interface ResourceLimit {
  readonly soft: bigint | undefined;
  readonly hard: bigint | undefined;
}

/** Letter, how `ulimit -a` names it, and what it is without being set. */
const RESOURCES: readonly (readonly [string, string, bigint | undefined])[] = [
  ["R", "real-time non-blocking time  (microseconds, -R) ", undefined],
  ["c", "core file size              (blocks, -c) ", 0n],
  ["d", "data seg size               (kbytes, -d) ", undefined],
  ["e", "scheduling priority                 (-e) ", 0n],
  ["f", "file size                   (blocks, -f) ", undefined],
  ["i", "pending signals                     (-i) ", undefined],
  ["l", "max locked memory           (kbytes, -l) ", undefined],
  ["m", "max memory size             (kbytes, -m) ", undefined],
  ["n", "open files                          (-n) ", 1024n],
  ["p", "pipe size                (512 bytes, -p) ", 8n],
  ["q", "POSIX message queues         (bytes, -q) ", 819_200n],
  ["r", "real-time priority                  (-r) ", 0n],
  ["s", "stack size                  (kbytes, -s) ", 8192n],
  ["t", "cpu time                   (seconds, -t) ", undefined],
  ["u", "max user processes                  (-u) ", undefined],
  ["v", "virtual memory              (kbytes, -v) ", undefined],
  ["x", "file locks                          (-x) ", undefined],
];
const MOST = 1n << 62n;

function limitOf(shell: Shell, letter: string): ResourceLimit {
  const start = RESOURCES.find(([each]) => each === letter)?.[2];
  return shell.resourceLimits.get(letter) ?? { soft: start, hard: start };
}

const shown = (limit: bigint | undefined): string => (limit === undefined ? "unlimited" : String(limit));
const isAbove = (limit: bigint | undefined, hard: bigint | undefined): boolean =>
  hard !== undefined && (limit === undefined || limit > hard);

/**
 * Keeps and shows limits as bash does, and enforces none of them: what limits a script are the limits that it was
 * started with.
 */
export const ulimitBuiltins: BuiltinTable = {
  ulimit(shell, words) {
    const letters: string[] = [];
    const kinds = new Set<string>();
    let all = false;
    let i = 1;
    for (; /^-[A-Za-z]/.test(words[i] ?? ""); i += 1) {
      for (const letter of (words[i] ?? "").slice(1)) {
        if (letter === "S" || letter === "H") kinds.add(letter);
        else if (letter === "a") all = true;
        else if (RESOURCES.some(([each]) => each === letter)) letters.push(letter);
        else return refuse(shell, "ulimit", `-${letter}: invalid option`, 2);
      }
    }
    if (words[i] === "--") i += 1;
    else if (/^-./.test(words[i] ?? ""))
      return refuse(shell, "ulimit", `${words[i] ?? ""}: invalid option`, 2);
    const which = kinds.has("H") && !kinds.has("S") ? "hard" : "soft";
    if (all) {
      return say(
        shell,
        RESOURCES.map(([letter, name]) => `${name}${shown(limitOf(shell, letter)[which])}\n`).join(""),
      );
    }
    const letter = letters.at(-1) ?? "f";
    const value = words[i];
    if (value === undefined) {
      return say(shell, letters.length > 1 ? "" : `${shown(limitOf(shell, letter)[which])}\n`);
    }
    const now = limitOf(shell, letter);
    let limit: bigint | undefined;
    if (value === "hard") limit = now.hard;
    else if (value === "soft") limit = now.soft;
    else if (/^\d+$/.test(value)) limit = BigInt(value);
    else if (value !== "unlimited") return refuse(shell, "ulimit", `${value}: invalid number`);
    if (limit !== undefined && limit > MOST) return refuse(shell, "ulimit", `${value}: limit out of range`);
    if (isAbove(limit, now.hard))
      return refuse(shell, "ulimit", "cannot modify limit: Operation not permitted");
    const sets = kinds.size === 0 ? new Set(["S", "H"]) : kinds;
    shell.resourceLimits.set(letter, {
      soft: sets.has("S") ? limit : now.soft,
      hard: sets.has("H") ? limit : now.hard,
    });
    return 0;
  },
};
