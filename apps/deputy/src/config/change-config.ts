import { isRecord } from "@deputy/kit";
import { AppError } from "../app-error.ts";
import { parseConfig } from "./parse-config.ts";

/** How messages name a configuration that is not written yet. */
const CHANGED = "The configuration with this change";

/**
 * A configuration with one setting changed and everything else unchanged, including unknown keys. The value
 * is JSON if that is valid for the setting, otherwise text. Throws `config_invalid`, without the value.
 */
export function withSetting(raw: unknown, path: readonly string[], value: string): unknown {
  if (path.length === 0) throw new AppError("usage", "Name one setting, not all of them");
  const meant = [...asJson(value), value].map((candidate) => put(raw, path, candidate));
  const fitting = meant.find(fits);
  if (fitting !== undefined) return fitting;
  // Reports the problem with what was most likely meant.
  parseConfig(meant[0], CHANGED);
  throw new Error("An invalid configuration was accepted");
}

/** The same with a value that is JSON already, and not checked. */
export function withValue(raw: unknown, path: readonly string[], value: unknown): unknown {
  return put(raw, path, value);
}

/** A configuration without one setting; groups that have become empty go with it. */
export function withoutSetting(raw: unknown, [key, ...rest]: readonly string[]): unknown {
  if (key === undefined || !isRecord(raw)) return raw;
  const entries = new Map<string, unknown>(Object.entries(raw));
  const inner = rest.length === 0 ? undefined : withoutSetting(entries.get(key), rest);
  const isEmpty =
    inner === undefined || (typeof inner === "object" && inner !== null && Object.keys(inner).length === 0);
  if (isEmpty) entries.delete(key);
  else entries.set(key, inner);
  return Object.fromEntries(entries);
}

function asJson(value: string): readonly unknown[] {
  try {
    return [JSON.parse(value) as unknown];
  } catch {
    return [];
  }
}

function fits(raw: unknown): boolean {
  try {
    parseConfig(raw, CHANGED);
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** Defines keys instead of assigning them, so that `__proto__` is a key like any other. */
function put(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const entries = new Map(isRecord(target) ? Object.entries(target) : []);
  entries.set(key, put(entries.get(key), rest, value));
  return Object.fromEntries(entries);
}
