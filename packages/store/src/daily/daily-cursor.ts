import { open, readFile, rename } from "node:fs/promises";
import { isFsError } from "../sqlite/database/store-files.ts";

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

export type CursorReading =
  | { readonly kind: "found"; readonly cursor: DailyCursor }
  | { readonly kind: "absent" | "unreadable" };

export async function readDailyCursor(path: string): Promise<CursorReading> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isFsError(error, "ENOENT")) return { kind: "absent" };
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
