import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import { z } from "zod";
import { AppError } from "../app-error.ts";

const REFERENCE = /^(?:env:[A-Za-z_]\w*|file:.+)$/;
/** Spelled as variables are, with an underscore: no secret looks like that. */
const VARIABLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const MAX_BYTES = 65_536;

/** A secret is never in the configuration itself, only its place. Empty counts as absent. */
export const secretReference = z
  .string()
  .refine(
    (text) => text === "" || REFERENCE.test(text),
    "must be a reference, `env:NAME` or `file:/path`, never the secret itself",
  );

export function isSecretReference(text: string): boolean {
  return REFERENCE.test(text);
}

/** The variable that a bare name such as `FASTSPRING_CREDENTIALS` stands for; a reference stands for itself. */
export function spellOutReference(text: string): string {
  return VARIABLE.test(text) ? `env:${text}` : text;
}

const SECRET_HEADER = /auth|cookie|token|secret|key|password|credential/i;

/** True if the configuration may hold the value of a header with this name. */
export function isPlainHeaderName(name: string): boolean {
  return !SECRET_HEADER.test(name);
}

/**
 * The secret as it is now; a relative path is from the home. Throws `secret_unavailable`, naming the
 * reference and never the secret.
 */
export function resolveSecret(reference: string, env: NodeJS.ProcessEnv, home: string): string {
  const unavailable = (why: string, cause?: unknown): AppError =>
    new AppError("secret_unavailable", `${reference} gives no secret: ${why}`, { cause });
  const at = reference.indexOf(":");
  const where = reference.slice(at + 1);
  if (reference.startsWith("env:")) {
    const value = env[where];
    if (value === undefined || value === "") throw unavailable("it is not set");
    return value;
  }
  const file = where.startsWith("~/") ? join(homedir(), where.slice(2)) : resolve(home, where);
  let text: string;
  try {
    text = readSmallFile(file);
  } catch (cause) {
    const code = systemCodeOf(cause) ?? "it is not a small file";
    throw unavailable(code === "ENOENT" ? "there is no such file" : code, cause);
  }
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "") throw unavailable("it is empty");
  return secret;
}

function readSmallFile(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error("not a small file");
    const bytes = Buffer.alloc(stat.size);
    return bytes.toString("utf8", 0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
