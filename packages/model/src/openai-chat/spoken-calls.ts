import type { ModelEvent } from "../model.ts";
import { isObject, type JsonObject, parseJson, textIn } from "../wire/json.ts";

/**
 * Finds calls that a server has left in the text of an answer, because it does not know how the model writes them:
 * `<tool_call>{"name", "arguments"}</tool_call>` (Qwen, Hermes), `[TOOL_CALLS]` (Mistral), `<|python_tag|>` (Llama), or
 * nothing but the object, with or without a fence.
 *
 * It is a call only if all of the text from there on is calls, each of a function that was offered. Anything else is text.
 */
export interface SpokenCalls {
  /** Gives the text that is none of a call; what may be one is held back. */
  push(text: string): string;
  /** Gives what was held back. `known`: the server has passed on calls by itself, so that the text has none. */
  end(known: "calls" | "none"): { readonly text: string; readonly calls: readonly SpokenCall[] };
}

export interface SpokenCall {
  readonly name: string;
  readonly json: string;
}

/** At the beginning of a line. */
const MARKS = ["<tool_call>", "[TOOL_CALLS]", "<|python_tag|>"] as const;
/** At the beginning of the text only. */
const OPENINGS = ["{", "```json\n{", "```\n{"] as const;
/** A call names its function early. Text that does not is passed on as it comes. */
const NAMED_WITHIN = 200;

/** `text`: nothing was said yet. `line`: nothing in this line. */
type Place = "text" | "line" | "inside";

export function createSpokenCalls(offered: readonly string[]): SpokenCalls {
  let place: Place = "text";
  let held = "";
  const pass = (length: number, next: Place): string => {
    const text = held.slice(0, length);
    held = held.slice(length);
    place = next;
    return text;
  };

  /** The next piece that no call begins in; empty if one may begin here. */
  const passPiece = (): string => {
    if (place === "inside") {
      const end = held.indexOf("\n") + 1;
      return end > 0 ? pass(end, "line") : pass(held.length, "inside");
    }
    const blank = held.length - held.trimStart().length;
    if (blank > 0) return pass(blank, place);
    const marks = place === "text" ? [...MARKS, ...OPENINGS] : MARKS;
    return mayBeCall(held, marks, offered) ? "" : pass(1, "inside");
  };

  return {
    push(text) {
      if (offered.length === 0) return text;
      held += text;
      let passed = "";
      // Ends with nothing held, too.
      for (let piece = passPiece(); piece !== ""; piece = passPiece()) passed += piece;
      return passed;
    },
    end(known) {
      const calls = known === "calls" ? undefined : readCalls(held.trim(), offered);
      const text = calls === undefined ? held : "";
      held = "";
      return { text, calls: calls ?? [] };
    },
  };
}

function mayBeCall(held: string, marks: readonly string[], offered: readonly string[]): boolean {
  if (!marks.some((mark) => held.startsWith(mark) || mark.startsWith(held))) return false;
  const isNamed = (name: string): boolean => held.slice(0, NAMED_WITHIN).includes(name);
  return held.length <= NAMED_WITHIN || offered.some(isNamed);
}

/** The same events, their text without what may be a call. */
export function* withoutCalls(spoken: SpokenCalls, events: Iterable<ModelEvent>): Iterable<ModelEvent> {
  for (const event of events) {
    const text = event.kind === "text" ? spoken.push(event.text) : undefined;
    if (text === undefined) yield event;
    else if (text !== "") yield { kind: "text", text };
  }
}

/** Undefined if anything in the text is no call. */
function readCalls(text: string, offered: readonly string[]): readonly SpokenCall[] | undefined {
  const calls: SpokenCall[] = [];
  for (const piece of splitPieces(text)) {
    const found = readPiece(piece, offered);
    if (found === undefined) return undefined;
    calls.push(...found);
  }
  return calls.length > 0 ? calls : undefined;
}

function splitPieces(text: string): readonly string[] {
  if (text.startsWith("<tool_call>"))
    return text
      .split("<tool_call>")
      .slice(1)
      .map((piece) => piece.replace(/<\/tool_call>\s*$/, "").trim());
  const bare = text
    .replace(/^(?:\[TOOL_CALLS\]|<\|python_tag\|>)/, "")
    .replace(/^```(?:json)?\n([^]*)\n```$/, "$1")
    .trim();
  return [bare];
}

function readPiece(piece: string, offered: readonly string[]): readonly SpokenCall[] | undefined {
  const [, named = "", input = ""] = /^([\w-]+)\s*(\{[^]*\})$/.exec(piece) ?? [];
  const value = named === "" ? parseJson(piece) : { name: named, arguments: parseJson(input) };
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const calls = list.map((item) => (isObject(item) ? readCall(item, offered) : undefined));
  return calls.every((call) => call !== undefined) && calls.length > 0 ? calls : undefined;
}

function readCall(item: JsonObject, offered: readonly string[]): SpokenCall | undefined {
  const inner = isObject(item["function"]) ? item["function"] : item;
  const name = textIn(inner, "name");
  const given = inner["arguments"] ?? inner["parameters"];
  const input = typeof given === "string" ? parseJson(given) : given;
  if (!offered.includes(name) || !isObject(input)) return undefined;
  return { name, json: JSON.stringify(input) };
}
