import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { AppError } from "./app-error.ts";

const SHORTEST_TOKEN = 16;

/** The gateway's token: `DEPUTY_TOKEN`, else the file `token` in the home, made on first use (mode 0600). */
export function loadToken(directory: string, env: NodeJS.ProcessEnv): string {
  const given = env["DEPUTY_TOKEN"];
  if (given !== undefined && given !== "") return checked(given, "DEPUTY_TOKEN");
  const file = join(directory, "token");
  const present = readToken(file);
  if (present !== undefined) return checked(present, file);
  writeOnce(file, `${randomBytes(32).toString("base64url")}\n`);
  return checked(readToken(file) ?? "", file);
}

function readToken(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new AppError("token_invalid", `Cannot read ${file}`, {
      cause: error,
      hint: "Make it readable for you.",
    });
  }
}

/** Whole or not at all, and never over another's: two first starts at once end with one token. */
function writeOnce(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  const handle = openSync(draft, "w", 0o600);
  try {
    fchmodSync(handle, 0o600);
    writeSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    unlinkSync(draft);
  }
}

function checked(token: string, origin: string): string {
  if (token.length >= SHORTEST_TOKEN && !/\s/.test(token)) return token;
  throw new AppError("token_invalid", `The token in ${origin} is too short or has spaces in it`, {
    hint: `Use at least ${SHORTEST_TOKEN} characters, or delete it and a new one is made.`,
  });
}
