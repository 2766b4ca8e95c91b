import { mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import { TasksError } from "../tasks-error.ts";

/**
 * How far a source has come. Never ahead of the inbox, because it is written after the deliveries were
 * accepted. It may be behind after a crash; then they are offered again, and the inbox already has them. So
 * it is not a second source of truth.
 */
export interface CursorFile<T> {
  /** Undefined if there is none: the source is opened for the first time. Rejects with `cursor_unusable`. */
  read(): Promise<T | undefined>;
  /** Writes all of it or nothing; durable once resolved. Rejects with `cursor_unusable`. */
  write(value: T): Promise<void>;
}

export interface CursorCodec<T> {
  /** Undefined for an invalid cursor. */
  readonly parse: (json: unknown) => T | undefined;
  readonly toJson: (value: T) => unknown;
}

export function openCursorFile<T>(file: string, codec: CursorCodec<T>): CursorFile<T> {
  return {
    async read() {
      let text: string;
      try {
        text = await readFile(file, "utf8");
      } catch (cause) {
        if (systemCodeOf(cause) === "ENOENT") return undefined;
        throw unusable(`Cannot read ${file}`, cause);
      }
      try {
        const value = codec.parse(JSON.parse(text));
        if (value !== undefined) return value;
      } catch (cause) {
        throw unusable(`${file} is invalid`, cause);
      }
      throw unusable(`${file} is invalid`);
    },
    async write(value) {
      try {
        await mkdir(dirname(file), { recursive: true, mode: 0o700 });
        await writeDurably(`${file}.new`, JSON.stringify(codec.toJson(value)));
        await rename(`${file}.new`, file);
        await syncDirectory(dirname(file));
      } catch (cause) {
        throw unusable(`Cannot write ${file}`, cause);
      }
    },
  };
}

async function writeDurably(file: string, text: string): Promise<void> {
  await using handle = await open(file, "w", 0o600);
  await handle.writeFile(text);
  await handle.sync();
}

async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === "win32") return;
  await using handle = await open(directory, "r");
  await handle.sync();
}

function unusable(message: string, cause?: unknown): TasksError {
  const hint =
    "It says how far a source has read. Repair the disk, or move the file away: the source then begins again with what happens from then on.";
  return new TasksError("cursor_unusable", message, { cause, hint });
}
