import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import { AppError } from "./app-error.ts";
import type { Config } from "./config.ts";
import { configFileOf, readConfigFile } from "./config/config-file.ts";
import { parseConfig, parseJson } from "./config/parse-config.ts";
import { idleSettings } from "./config/settings.ts";
import { describeFileFailure } from "./file-failure.ts";

/** The data directory: everything Deputy keeps is in here. */
export interface Home {
  readonly directory: string;
  readonly config: Config;
  /** Settings it has that have no effect in this version. */
  readonly idleSettings: readonly string[];
}

/** `--home`, else `DEPUTY_HOME`, else `~/.deputy`. */
export function locateHome(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const named = option ?? env["DEPUTY_HOME"];
  return named === undefined || named === "" ? join(homedir(), ".deputy") : resolve(named);
}

/**
 * Creates the directory (mode 0700) and its `config.json` if they are missing, and makes a directory that was
 * not used before private. Warns of unknown keys, and if others may look into a used one. Throws
 * `home_unusable`, `config_invalid` or `file_unwritable`.
 */
export function openHome(directory: string, warn: (text: string) => void): Home {
  openHomeDirectory(directory, warn);
  const file = configFileOf(directory);
  const raw = parseJson(readConfigFile(directory), file);
  const { config, warnings } = parseConfig(raw, file);
  warnings.forEach(warn);
  return { directory, config, idleSettings: idleSettings(raw) };
}

/** A home for reading only: nothing is created, and it need not be writable. Throws `home_unusable`. */
export function lookIntoHome(directory: string): string {
  try {
    if (existsSync(directory)) accessSync(directory, constants.R_OK | constants.X_OK);
    return directory;
  } catch (cause) {
    throw new AppError("home_unusable", `Cannot look into ${directory}: ${describeFileFailure(cause)}`, {
      cause,
      hint: "Run this as its owner, or give another with --home DIR or DEPUTY_HOME.",
    });
  }
}

/** The same without the configuration. */
export function openHomeDirectory(directory: string, warn: (text: string) => void): void {
  try {
    makeDirectory(directory);
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    const stat = statSync(directory);
    // A directory made for Deputy with lax permissions and nothing of ours in it yet. If others could write
    // to it, its content may be theirs.
    const isNew =
      stat.uid === process.getuid?.() &&
      secretFiles(directory).length === 0 &&
      ((stat.mode & 0o022) === 0 || readdirSync(directory).length === 0);
    if (isOpenToOthers(stat) && isNew) chmodSync(directory, 0o700);
    else if (isOpenToOthers(stat))
      warn(
        `Other users of this machine can ${(stat.mode & 0o022) === 0 ? "read" : "read and change"} ${directory}; \`chmod 700\` prevents it.`,
      );
  } catch (cause) {
    throw new AppError(
      "home_unusable",
      `Cannot use ${directory} as the data directory: ${describeFileFailure(cause)}`,
      {
        cause,
        hint: whatToDo(cause),
      },
    );
  }
}

function whatToDo(cause: unknown): string {
  switch (systemCodeOf(cause)) {
    case "EROFS":
      return "Make the disk writable again, or give another with --home DIR or DEPUTY_HOME. `deputy audit verify` and `deputy audit show` read it as it is.";
    case "ENOSPC":
      return "Nothing was changed. Make room, or give another with --home DIR or DEPUTY_HOME.";
    default:
      return "Give another with --home DIR or DEPUTY_HOME, or make it writable for you.";
  }
}

/** Files of a home that other users must not read. */
const SECRET_FILES = ["token", "key", "hooks.json", "deputy.db", "deputy.db-wal", "memory.db"] as const;

function secretFiles(directory: string): readonly string[] {
  return SECRET_FILES.map((name) => join(directory, name)).filter((path) => existsSync(path));
}

/** Throws `home_unusable` when others on this machine can look into it, or read what is secret in it. */
export function assertPrivate(directory: string): void {
  const open = [directory, ...secretFiles(directory)].find((path) => isOpenToOthers(statSync(path)));
  if (open === undefined) return;
  throw new AppError("home_unusable", `Other users of this machine can read ${open}`, {
    hint: `\`chmod -R go= ${directory}\` keeps it to you; if someone may have read it, delete \`token\` to get a new one.`,
  });
}

/** Windows has no such bits; there, only the owner can access a profile's directories. */
export function isOpenToOthers({ mode }: { readonly mode: number }): boolean {
  return process.platform !== "win32" && (mode & 0o077) !== 0;
}

/** Not Node's own recursive version, which never returns where the system allows no directories (`/proc/x`). */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}
