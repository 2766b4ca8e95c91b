import { listOf, textOf } from "@deputy/json-schema";
import type { ListedOperation } from "./list-operations.ts";

/** An operation's path below its source: `[group, name]`, or `[name]` if it has no tag. */
export type OperationPlace = readonly [string] | readonly [string, string];

const MAX_CHARS = 60;
/** Names that have a special meaning on objects or promises. */
const TAKEN: ReadonlySet<string> = new Set(["prototype", "constructor", "then"]);

/**
 * A name for each operation, the same for the same document: its first tag is its group, its `operationId` (without
 * the group's name before it) or else method and path its name. No two are the same, and none is a group as well.
 */
export function nameOperations(operations: readonly ListedOperation[]): readonly OperationPlace[] {
  const groups = operations.map(({ operation }) => groupOf(listOf(operation["tags"])[0]));
  const used = new Set(groups.filter((group) => group !== undefined));
  const counts = new Map<string, number>();
  return operations.map((listed, at) => {
    const group = groups[at];
    const prefix = group === undefined ? "" : `${group}.`;
    const base = nameOf(listed, group);
    let name = base;
    let n = counts.get(prefix + base) ?? 1;
    while (used.has(prefix + name)) name = `${base}_${++n}`;
    counts.set(prefix + base, n);
    used.add(prefix + name);
    return group === undefined ? [name] : [group, name];
  });
}

/**
 * A second, shorter name for each operation whose name ends with what its group is of: `get` for `getAccount` in
 * `accounts`. Undefined where there is none, or where another operation has it or could have it, too.
 */
export function shortNames(places: readonly OperationPlace[]): readonly (string | undefined)[] {
  const shorts = places.map(([group, name]) => (name === undefined ? undefined : shortName(group, name)));
  const paths = places.map((place) => place.join("."));
  const count = new Map<string, number>(paths.map((path) => [path, 1]));
  const pathOf = (at: number): string => `${places[at]?.[0]}.${shorts[at]}`;
  for (const [at, short] of shorts.entries())
    if (short !== undefined) count.set(pathOf(at), (count.get(pathOf(at)) ?? 0) + 1);
  return shorts.map((short, at) => (short !== undefined && count.get(pathOf(at)) === 1 ? short : undefined));
}

function shortName(group: string, name: string): string | undefined {
  const [things, words] = [wordsOf(group), wordsOf(name)];
  const tail = words.slice(-things.length);
  if (words.length <= things.length || !things.every((thing, at) => stemOf(thing) === stemOf(tail[at] ?? "")))
    return undefined;
  const rest = words.slice(0, -things.length);
  const short = toName(rest.join(" "));
  return rest.every((word) => /[A-Za-z]/.test(word)) && !short.startsWith("_") ? short : undefined;
}

/** `getUserAccount` as `get`, `user`, `account`. */
function wordsOf(name: string): readonly string[] {
  return name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9_]+/g)?.map((word) => word.toLowerCase()) ?? [];
}

/** The same for one and for many. */
function stemOf(word: string): string {
  return word
    .replace(/ies$/, "y")
    .replace(/(?<=s|x|z|ch|sh)es$/, "")
    .replace(/(?<!s)s$/, "");
}

function groupOf(tag: unknown): string | undefined {
  const text = textOf(tag);
  const name = text === undefined ? "" : toName(text);
  return name === "" ? undefined : name;
}

function nameOf({ operation, method, path }: ListedOperation, group: string | undefined): string {
  const id = textOf(operation["operationId"]);
  const own = id === undefined ? "" : toName(id);
  const name = own === "" ? toName(`${method} ${path.replaceAll("{", " by ")}`) : own;
  if (group === undefined) return name;
  const rest = name.toLowerCase().startsWith(group.toLowerCase()) ? name.slice(group.length) : "";
  // `issuesListForRepo` in `issues` is `listForRepo`; but `issuesy` is itself.
  return /^[A-Z_]./.test(rest) ? toName(rest) : name;
}

/** Any text as a name in camel case; empty when it has no letter or digit that a name can have. */
export function toName(text: string): string {
  const words = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  const camel = words
    .map((word, at) => (at === 0 ? lowerFirst(word) : word.charAt(0).toUpperCase() + word.slice(1)))
    .join("")
    .slice(0, MAX_CHARS);
  if (camel === "") return "";
  return /^\d/.test(camel) || TAKEN.has(camel) ? `_${camel}` : camel;
}

/** `URLList` → `urlList`, `APIKeys` → `apiKeys`, `GET` → `get`, `List` → `list`. */
function lowerFirst(word: string): string {
  return word.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (start) => start.toLowerCase());
}
