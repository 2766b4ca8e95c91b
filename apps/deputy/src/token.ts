import { randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import { AppError } from "./app-error.ts";
import { unwritable } from "./config/config-file.ts";
import { stampOf } from "./config/config-file.ts";
import { isOpenToOthers } from "./home.ts";
import { writeOnce } from "./write-once.ts";

/** A token that an HTTP header can carry unchanged, and that is too long to guess. */
const SOUND_TOKEN = /^[\x21-\x7e]{16,}$/;

/** No request has an empty token. */
const NOBODY = "";

/** The gateway's token: `DEPUTY_TOKEN`, else the file `token` in the home, made on first use (mode 0600). */
export function loadToken(directory: string, env: NodeJS.ProcessEnv): string {
  const given = env["DEPUTY_TOKEN"];
  if (given !== undefined && given !== "") return checked(given, "DEPUTY_TOKEN");
  const file = join(directory, "token");
  const present = readToken(file);
  if (present !== undefined) return checked(present, file);
  try {
    writeOnce(file, `${randomBytes(32).toString("base64url")}\n`);
  } catch (cause) {
    throw unwritable(file, cause);
  }
  return checked(readToken(file) ?? "", file);
}

/**
 * The current token: a new one in the file counts at once. While the file is missing, invalid or readable by others,
 * there is none, and no one gets in.
 */
export function watchToken(directory: string, env: NodeJS.ProcessEnv): () => string {
  const file = join(directory, "token");
  let current = loadToken(directory, env);
  if (env["DEPUTY_TOKEN"]) return () => current;
  let seen = stampOf(file);
  return () => {
    const stamp = stampOf(file);
    if (stamp === seen) return current;
    seen = stamp;
    current = NOBODY;
    if (stamp === undefined) return current;
    try {
      current = loadToken(directory, env);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    return current;
  };
}

function readToken(file: string): string | undefined {
  let handle: number;
  try {
    handle = openSync(file, "r");
  } catch (cause) {
    if (systemCodeOf(cause) === "ENOENT") return undefined;
    throw unreadable(file, cause);
  }
  try {
    if (isOpenToOthers(fstatSync(handle))) {
      throw new AppError("token_invalid", `Other users of this machine can read ${file}`, {
        hint: `\`chmod 600 ${file}\` keeps it to you; if someone may have read it, delete it, and Deputy makes a new one.`,
      });
    }
    return readFileSync(handle, "utf8").trim();
  } catch (cause) {
    throw cause instanceof AppError ? cause : unreadable(file, cause);
  } finally {
    closeSync(handle);
  }
}

function unreadable(file: string, cause: unknown): AppError {
  return new AppError("token_invalid", `Cannot read ${file}`, { cause, hint: "Make it readable for you." });
}

function checked(token: string, origin: string): string {
  if (SOUND_TOKEN.test(token)) return token;
  throw new AppError(
    "token_invalid",
    `The token in ${origin} is too short, or contains characters that are not allowed`,
    {
      hint: "Use at least 16 ASCII characters without spaces, or delete it: Deputy then makes a new one.",
    },
  );
}
