import { WireFailure } from "./failure.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

/** Reads a provider's data: anything of an unexpected kind is `garbage`, never a crash. */
export function asObject(value: unknown, what: string): JsonObject {
  if (isObject(value)) return value;
  throw new WireFailure("garbage", `${what} is not an object`);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that must be there. */
export function stringIn(object: JsonObject, key: string): string {
  const value = object[key];
  if (typeof value === "string") return value;
  throw new WireFailure("garbage", `“${key}” is not text`);
}

/** A field that may be missing or null; anything but text is ignored. */
export function textIn(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === "string" ? value : "";
}

/** Undefined unless it is a valid count. */
export function countIn(object: unknown, key: string): number | undefined {
  const value = isObject(object) ? object[key] : undefined;
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

export function listIn(object: JsonObject, key: string): readonly unknown[] {
  const value = object[key];
  return Array.isArray(value) ? value : [];
}

/** Undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
