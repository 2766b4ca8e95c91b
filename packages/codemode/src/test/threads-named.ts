import { readdirSync, readFileSync } from "node:fs";

/** Linux keeps this much of a thread's name. */
const MAX_NAME = 15;

/** How many threads of this process have the name. */
export function threadsNamed(name: string): number {
  const names = readdirSync("/proc/self/task").map(nameOf);
  return names.filter((found) => found === name.slice(0, MAX_NAME)).length;
}

function nameOf(thread: string): string {
  try {
    return readFileSync(`/proc/self/task/${thread}/comm`, "utf8").trimEnd();
  } catch {
    return ""; // It ended meanwhile.
  }
}
