import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { AppError } from "./app-error.ts";

/** A file's text, or stdin's for `-`. Throws `file_unreadable`. */
export async function readSource(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  if (file === "-") return await text(stdin);
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    throw new AppError("file_unreadable", missing ? `There is no file ${file}` : `Cannot read ${file}`, {
      cause,
    });
  }
}

/** A `.js` file is run as it is; anything else is TypeScript and checked first. */
export function languageOf(file: string): "typescript" | "javascript" {
  return /\.[cm]?js$/.test(file) ? "javascript" : "typescript";
}
