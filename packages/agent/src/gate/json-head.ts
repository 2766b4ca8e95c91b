import type { Redactor } from "@deputy/secrets";
import { endOfString } from "./json-size.ts";

/**
 * Parses the beginning of a JSON text, for a short display: every value within the first characters. If a string is
 * cut there, the result holds only the part that is certain not to be part of a secret.
 */
export function jsonHead(json: string, chars: number, redactor: Pick<Redactor, "stream">): unknown {
  /** All before it can stand alone, once it is closed. */
  let cut = 0;
  const open: string[] = [];
  /** The key of the member whose value comes next. */
  let key: string | undefined;
  for (let at = 0; at < chars; at++) {
    const char = json[at];
    if (char === '"') {
      const end = endOfString(json, at);
      const isKey = open.at(-1) === "{" && key === undefined;
      if (end >= chars && isKey) break;
      if (end >= chars) {
        const told = certainOf(redactor, key, beginningOf(json.slice(at + 1, chars)));
        return closed(json.slice(0, at) + JSON.stringify(told));
      }
      if (isKey) key = JSON.parse(json.slice(at, end + 1)) as string;
      at = end;
    } else if (char === "{" || char === "[") {
      open.push(char);
      key = undefined;
      cut = at + 1;
    } else if (char === "}" || char === "]") {
      open.pop();
      cut = at + 1;
    } else if (char === ",") {
      key = undefined;
      cut = at;
    }
  }
  return closed(json.slice(0, cut));
}

/** The value of a text that was cut between two values. */
function closed(text: string): unknown {
  const closers: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === "{") closers.push("}");
    else if (char === "[") closers.push("]");
    else if (char === "}" || char === "]") closers.pop();
  }
  return JSON.parse(text === "" ? "null" : text + closers.toReversed().join(""));
}

const LONGEST_ESCAPE = 6;

/** The beginning of a string that may be cut anywhere, even inside an escape. */
function beginningOf(raw: string): string {
  for (let end = raw.length; end >= raw.length - LONGEST_ESCAPE; end--) {
    try {
      return JSON.parse(`"${raw.slice(0, end)}"`) as string;
    } catch {
      // Cut within an escape.
    }
  }
  return "";
}

/** Under its key, which may say that it is a secret. */
function certainOf(redactor: Pick<Redactor, "stream">, key: string | undefined, text: string): string {
  const prefix = key === undefined ? "" : `${key}: `;
  const certain = redactor.stream().push(prefix + text);
  return certain.startsWith(prefix) ? certain.slice(prefix.length) : "";
}
