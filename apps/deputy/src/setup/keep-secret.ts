import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { AppError } from "../app-error.ts";
import { writeOnce } from "../write-once.ts";

/** A secret that Deputy makes up itself, at its first use, and keeps in a file of the home: 32 bytes, as hex. */
export function keptSecret(
  directory: string,
  name: string,
  make: () => string = () => randomBytes(32).toString("hex"),
): string {
  const file = join(directory, "keys", name);
  if (!existsSync(file)) keepSecret(directory, name, make());
  return readFileSync(file, "utf8").trim();
}

/** Writes a secret into a file of the home that only its owner can read; gives the reference to it. */
export function keepSecret(home: string, name: string, value: string): string {
  const file = join(home, "keys", name);
  try {
    mkdirSync(join(home, "keys"), { recursive: true, mode: 0o700 });
    rmSync(file, { force: true });
    writeOnce(file, `${value}\n`);
  } catch (cause) {
    throw new AppError("file_unwritable", `Cannot write ${file}`, { cause });
  }
  return `file:keys/${name}`;
}
