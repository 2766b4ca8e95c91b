import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { AppError } from "./app-error.ts";
import { type Config, parseConfig } from "./config.ts";

/** The data directory: everything Deputy keeps is in here. */
export interface Home {
  readonly directory: string;
  readonly config: Config;
}

/** `--home`, else `DEPUTY_HOME`, else `~/.deputy`. */
export function locateHome(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const named = option ?? env["DEPUTY_HOME"];
  return named === undefined || named === "" ? join(homedir(), ".deputy") : resolve(named);
}

/**
 * Creates the directory (mode 0700) when it is missing; warns when others may look into one that was
 * there already. Throws `home_unusable` or `config_invalid`.
 */
export function openHome(directory: string, warn: (text: string) => void): Home {
  try {
    makeDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    if (isOpenToOthers(statSync(directory)))
      warn(`Others on this machine may look into ${directory}; \`chmod 700\` keeps it to you.`);
  } catch (cause) {
    throw new AppError("home_unusable", `Cannot use ${directory} as the data directory: ${reason(cause)}`, {
      cause,
      hint: "Give another with --home DIR or DEPUTY_HOME, or make it writable for you.",
    });
  }
  return { directory, config: readConfig(join(directory, "config.json")) };
}

function readConfig(file: string): Config {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    if (isMissing(cause)) return parseConfig("{}", file);
    throw new AppError("config_invalid", `Cannot read ${file}: ${reason(cause)}`, { cause });
  }
  return parseConfig(text, file);
}

/** Windows keeps no such bits; there, a profile's directories are its owner's alone. */
export function isOpenToOthers({ mode }: { readonly mode: number }): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

function reason(error: unknown): string {
  if (!(error instanceof Error) || !("code" in error)) return "unknown reason";
  const known: Record<string, string> = {
    EACCES: "permission denied",
    EPERM: "operation not permitted",
    EROFS: "the disk is read-only",
    ENOTDIR: "a part of the path is a file",
    EEXIST: "it is a file",
    ENOSPC: "the disk is full",
  };
  return known[String(error.code)] ?? String(error.code);
}

/** Not Node's own recursive one, which never returns where the system takes no directories (`/proc/x`). */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
