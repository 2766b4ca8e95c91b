import { readableJson } from "./event-words.ts";

/** One thing that an event says, for people. */
export interface EventRow {
  readonly name: string;
  readonly text: string;
}

/** Of use to Deputy alone. */
const UNTOLD: ReadonlySet<string> = new Set(["index", "labels", "epoch", "answer", "trust"]);
const NAMES: Readonly<Record<string, string>> = {
  toolPath: "tool",
  provenance: "why",
  durationMs: "milliseconds",
};
const ID = /^[a-z]{3}_[0-9a-z]{10,}$/i;
const HASH = /^[0-9a-f]{32,}$/;

/**
 * What an event says, one thing a row: each value of a call's input by its name. Ids and hashes are left to the event
 * as it was recorded.
 */
export function eventRows(data: unknown): readonly EventRow[] {
  if (typeof data !== "object" || data === null) return [];
  return Object.entries(data).flatMap(([name, value]) => {
    if (UNTOLD.has(name) || value === undefined || isOpaque(value) || isEmpty(value)) return [];
    if ((name === "input" || name === "result") && isRecord(value))
      return Object.entries(value).map(([inner, own]) => ({ name: inner, text: textOf(own) }));
    return [{ name: wordsOfName(name), text: textOf(value) }];
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : readableJson(JSON.stringify(value) ?? "");
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isOpaque(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every(isOpaque);
  return typeof value === "string" && (ID.test(value) || HASH.test(value));
}

function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}

/** “tool path” of `toolPath`. */
function wordsOfName(name: string): string {
  return NAMES[name] ?? name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
