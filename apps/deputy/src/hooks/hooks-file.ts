import { closeSync, fstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemCodeOf } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { changeFile } from "../config/config-file.ts";
import { describeFileFailure } from "../file-failure.ts";
import type { Reporters } from "@deputy/tasks";
import { type Home, isOpenToOthers } from "../home.ts";
import { hookSchemes } from "@deputy/gateway/hooks";
import { z } from "zod";
import { EVENT_NAME, type EventSettings } from "../config/events-schema.ts";
import { followCurrent } from "../config/read-current.ts";
import { secretReference } from "../config/secret-reference.ts";

/** The gateway accepts no larger bodies. */
export const MOST_BYTES = 1_000_000;

/** A hook as `hooks.json` in the home keeps it. */
export const hookRecordSchema = z.strictObject({
  id: z.string().min(16),
  name: z.string().regex(EVENT_NAME),
  /** The token itself is kept nowhere. */
  tokenSha256: z.string().regex(/^[0-9a-f]{64}$/),
  scheme: z.enum(hookSchemes),
  /** The secret, or its place; neither if the scheme has none. */
  secret: z.string().min(1).optional(),
  secretFrom: secretReference.min(1).optional(),
  publicUrl: z.url({ protocol: /^https?$/ }).optional(),
  maxBytes: z.int().min(1).max(MOST_BYTES),
  maxPerMinute: z.int().min(1),
  /** A JSON schema that payloads must fit. */
  schema: z.record(z.string(), z.unknown()).optional(),
  createdAt: z.iso.datetime(),
});
export type HookRecord = z.infer<typeof hookRecordSchema>;

const hooksFileSchema = z.strictObject({ hooks: z.array(hookRecordSchema) });

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
    if (systemCodeOf(cause) === "ENOENT") return [];
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
 * Tells the hooks, mailboxes and folders of a home, as its files have them at that time; `further` are mailboxes that
 * are not in the settings. What it gives throws like `readHooks`.
 */
export function createReporters({ directory }: Home, further: readonly string[]): () => Reporters {
  const current = followCurrent({ directory });
  return () => {
    const { events } = current().config;
    const named = (type: "imap" | "files"): string[] =>
      events.filter((source) => source.type === type).map(({ name }) => name);
    return {
      hooks: readHooks(directory)
        .map(({ name }) => name)
        .toSorted(),
      mailboxes: [...named("imap"), ...further].toSorted(),
      folders: named("files").toSorted(),
    };
  };
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

/** Tasks name what they wait for, so that no two things that report have the same name. Undefined if it is free. */
export function describeTaken(
  name: string,
  taken: { readonly hooks: readonly HookRecord[]; readonly events: readonly EventSettings[] },
): { readonly message: string; readonly hint: string } | undefined {
  if (taken.events.some((source) => source.name === name))
    return {
      message: `A watched mailbox or folder is already called ${name}`,
      hint: "Give the hook another name; `events` in config.json has that one.",
    };
  if (!taken.hooks.some((hook) => hook.name === name)) return undefined;
  return {
    message: `There is already a hook ${name}`,
    hint: `\`deputy hooks remove ${name}\` removes it; \`deputy hooks renew ${name}\` gives it another address and secret.`,
  };
}

/** Throws `usage`, `hooks_invalid` and `file_unwritable`. */
export function keepHook(home: string, record: HookRecord, events: readonly EventSettings[]): void {
  changeHooks(home, (hooks) => {
    const taken = describeTaken(record.name, { hooks, events });
    if (taken !== undefined) throw new AppError("usage", taken.message, { hint: taken.hint });
    return [...hooks, record];
  });
}

/** False when there is no such hook. Throws `hooks_invalid` and `file_unwritable`. */
export function dropHook(home: string, name: string): boolean {
  if (!readHooks(home).some((hook) => hook.name === name)) return false;
  changeHooks(home, (hooks) => hooks.filter((hook) => hook.name !== name));
  return true;
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
