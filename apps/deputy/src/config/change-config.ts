import { AppError } from "../app-error.ts";
import { parseConfig } from "./parse-config.ts";

/** How messages name what has not been written. */
const CHANGED = "The configuration with this change";

/**
 * A configuration with one setting changed and everything else as it was, keys that mean nothing included.
 * The value is JSON where that fits the setting, else text. Throws `config_invalid`, without the value.
 */
export function withSetting(raw: unknown, path: readonly string[], value: string): unknown {
  if (path.length === 0) throw new AppError("usage", "Name one setting, not all of them");
  const meant = [...asJson(value), value].map((candidate) => put(raw, path, candidate));
  const fitting = meant.find(fits);
  if (fitting !== undefined) return fitting;
  // Says what is wrong with what was most likely meant.
  parseConfig(meant[0], CHANGED);
  throw new Error("A configuration that does not fit was taken for one that does");
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

/** Keys are defined, not assigned: `__proto__` is a key like any other. */
function put(target: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const isObject = typeof target === "object" && target !== null && !Array.isArray(target);
  const entries = new Map(isObject ? Object.entries(target) : []);
  entries.set(key, put(entries.get(key), rest, value));
  return Object.fromEntries(entries);
}
