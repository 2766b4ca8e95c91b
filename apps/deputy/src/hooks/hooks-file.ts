import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../app-error.ts";
import { changeFile } from "../config/config-file.ts";
import { describeFileFailure, fileErrorCode } from "../file-failure.ts";
import { isOpenToOthers } from "../home.ts";
import { type HookRecord, hooksFileSchema } from "./hook-record.ts";

export function hooksFileOf(home: string): string {
  return join(home, "hooks.json");
}

/** Empty when there is no such file. Throws `hooks_invalid`. */
export function readHooks(home: string): readonly HookRecord[] {
  const file = hooksFileOf(home);
  let handle: number;
  try {
    handle = openSync(file, "r");
  } catch (cause) {
    if (fileErrorCode(cause) === "ENOENT") return [];
    throw new AppError("hooks_invalid", `Cannot read ${file}: ${describeFileFailure(cause)}`, { cause });
  }
  try {
    if (isOpenToOthers(fstatSync(handle)))
      throw new AppError("hooks_invalid", `Other users of this machine can read ${file}`, {
        hint: `It holds secrets: \`chmod 600 ${file}\` keeps it to you; create the hooks again if someone may have read it.`,
      });
    return parseHooks(file, readFileSync(handle, "utf8"));
  } finally {
    closeSync(handle);
  }
}

/**
 * Changes the whole file or nothing, one process at a time. Throws `hooks_invalid`, `file_unwritable` and what
 * `change` throws.
 */
export function changeHooks(
  home: string,
  change: (hooks: readonly HookRecord[]) => readonly HookRecord[],
): void {
  const file = hooksFileOf(home);
  changeFile(file, (text) => {
    const hooks = change(text === undefined ? [] : parseHooks(file, text));
    return `${JSON.stringify({ hooks }, null, 2)}\n`;
  });
}

function parseHooks(file: string, text: string): readonly HookRecord[] {
  try {
    return hooksFileSchema.parse(JSON.parse(text)).hooks;
  } catch (cause) {
    throw new AppError("hooks_invalid", `${file} is not what \`deputy hooks\` wrote`, {
      cause,
      hint: "Correct it, or move it away and add the hooks again.",
    });
  }
}
