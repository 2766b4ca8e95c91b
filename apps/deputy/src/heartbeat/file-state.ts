import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";
import { systemCodeOf } from "@deputy/kit";

/** The same text while a file has not changed; a relative path is from `directory`. Never rejects for a file that cannot be read. */
export async function fileState(directory: string, path: string): Promise<string> {
  const whole = path.startsWith("~/") ? resolve(homedir(), path.slice(2)) : resolve(directory, path);
  try {
    const { mtimeMs, size } = await stat(whole);
    return `${mtimeMs} ${size}`;
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === undefined) throw error;
    return code;
  }
}
