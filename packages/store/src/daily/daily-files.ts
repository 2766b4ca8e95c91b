import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";

/** The path of a home's daily files. */
export interface DailyFiles {
  readonly home: string;
  readonly directory: string;
  readonly cursor: string;
  pathOf(day: string): string;
}

export function dailyFiles(home: string): DailyFiles {
  const directory = join(home, "daily");
  return {
    home,
    directory,
    cursor: join(directory, "cursor.json"),
    pathOf: (day) => join(directory, nameOf(day)),
  };
}

/** UTC, like `at`: a day has 24 hours everywhere, even when clocks change or the owner travels. */
export function dayOf(event: { readonly at: string }): string {
  return event.at.slice(0, 10);
}

export function nameOf(day: string): string {
  return `${day}.jsonl`;
}

/** Creates it for its owner only. Idempotent. */
export function prepareDaily({ directory }: DailyFiles): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if ((statSync(directory).mode & 0o077) !== 0) chmodSync(directory, 0o700);
}

/** The days that have a file, oldest first. */
export function daysWithFile({ directory }: DailyFiles): readonly string[] {
  return listed(directory).flatMap((name) => /^(\d{4}-\d\d-\d\d)\.jsonl$/.exec(name)?.[1] ?? []);
}

/** True if anything was ever written to the daily files. */
export function holdsDailyLines(files: DailyFiles): boolean {
  return daysWithFile(files).some((day) => statSync(files.pathOf(day)).size > 0);
}

const ASIDE = "daily-aside-";

/** Renames daily files that cannot be continued, so that they are kept. */
export function putDailyAside(files: DailyFiles, nowMs: number): string {
  const stamp = new Date(nowMs).toISOString().replaceAll(":", "-");
  const wanted = `${ASIDE}${stamp}`;
  let name = wanted;
  for (let n = 2; existsSync(join(files.home, name)); n++) name = `${wanted}-${n}`;
  renameSync(files.directory, join(files.home, name));
  return name;
}

/** Everything that was put aside and not removed since. */
export function putAsideBefore({ home }: DailyFiles): readonly string[] {
  return listed(home).filter((name) => name.startsWith(ASIDE));
}

function listed(directory: string): readonly string[] {
  return existsSync(directory) ? readdirSync(directory).sort() : [];
}
