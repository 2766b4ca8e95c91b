import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { open, readFile, rename } from "node:fs/promises";
import { systemCodeOf } from "@deputy/kit";

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

/** How far the daily files go: what they held when they were last synced. */
export interface DailyCursor {
  /** The last event that was taken from the log. */
  readonly position: number;
  /** Hash of that event's header; it tells whether the log is still the same one. */
  readonly event: string;
  /** The file that was written to last, its size, and the hash of its last line. */
  readonly day: string;
  readonly bytes: number;
  readonly line: string;
}

type CursorReading =
  | { readonly kind: "found"; readonly cursor: DailyCursor }
  | { readonly kind: "absent" | "unreadable" };

export async function readDailyCursor(path: string): Promise<CursorReading> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return { kind: "absent" };
    throw error;
  }
  const cursor = parse(text);
  return cursor === undefined ? { kind: "unreadable" } : { kind: "found", cursor };
}

/** Writes the whole cursor durably, or nothing. */
export async function saveDailyCursor(path: string, cursor: DailyCursor): Promise<void> {
  const draft = `${path}.draft`;
  const handle = await open(draft, "w", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(cursor)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(draft, path);
}

function parse(text: string): DailyCursor | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const { position, event, day, bytes, line } = value as Readonly<Record<string, unknown>>;
    if (!isCount(position) || !isCount(bytes)) return undefined;
    if (typeof event !== "string" || typeof day !== "string" || typeof line !== "string") return undefined;
    return { position, event, day, bytes, line };
  } catch {
    return undefined;
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
