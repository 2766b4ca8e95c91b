import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { AppError } from "./app-error.ts";
import { systemCodeOf, untilStopped } from "@deputy/kit";

/** A file's text, or stdin's for `-`. Throws `file_unreadable`; an abort rejects with the signal's reason. */
export async function readSource(file: string, stdin: Readable, signal: AbortSignal): Promise<string> {
  if (file === "-") return await untilStopped(text(stdin), signal);
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const missing = systemCodeOf(cause) === "ENOENT";
    throw new AppError("file_unreadable", missing ? `There is no file ${file}` : `Cannot read ${file}`, {
      cause,
    });
  }
}

/** A `.js` file runs unchanged; anything else is TypeScript and checked first. */
export function languageOf(file: string): "typescript" | "javascript" {
  return /\.[cm]?js$/.test(file) ? "javascript" : "typescript";
}
