import { isDeepStrictEqual } from "node:util";
import type { StateChange } from "./suite.ts";

/** What differs from one run to the next. */
const VOLATILE: ReadonlySet<string> = new Set(["timestamp", "last_modified"]);

/** A copy of the state with the recorded changes made. */
export function stateAfter(state: unknown, changes: readonly StateChange[]): unknown {
  const changed = structuredClone(state);
  for (const change of changes) apply(changed, change);
  return changed;
}

function apply(state: unknown, { op, path, value }: StateChange): void {
  const keys = path
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
  const last = keys.pop() ?? "";
  const parent = keys.reduce((inner, key) => (isObject(inner) ? Reflect.get(inner, key) : undefined), state);
  if (!isObject(parent)) throw new Error(`The recorded change of ${path} has no place`);
  if (op === "remove") Reflect.deleteProperty(parent, last);
  else if (Array.isArray(parent) && last === "-") parent.push(value);
  else Reflect.set(parent, last, value);
}

export function isSameState(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutVolatile(one), withoutVolatile(other));
}

function withoutVolatile(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutVolatile);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !VOLATILE.has(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutVolatile(member)]));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
