import type { Reader } from "./reader.ts";
import type { ScriptEvent, ScriptOutcome } from "./script-event.ts";
import { createScriptReader, type ScriptReader } from "./script-reader.ts";
import { createMarkdownCode } from "./markdown-code.ts";
import { createOpeningTag, type TagReader } from "./tag-reader.ts";

const ATTRIBUTE = /([^\s"'>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

/**
 * Finds `<script>` blocks in a model's text while it streams. Never throws for any text; the events do
 * not depend on how the text was cut, except for where deltas are.
 */
export interface ScriptDetector {
  /** Returns everything certain at once: only a possible tag and half a surrogate pair are held back. */
  push(chunk: string): readonly ScriptEvent[];
  /** Ends the text: returns what was held back, and ends an open script. Call it once, at the end. */
  end(): readonly ScriptEvent[];
}

export interface ScriptDetectorOptions {
  /** Longer code is not kept. */
  readonly maxCodeChars?: number;
}

const DEFAULT_MAX_CODE_CHARS = 256 * 1024;

interface OpenScript {
  readonly reader: ScriptReader;
  /** Emptied for good once there are too many characters. */
  readonly pieces: string[];
  chars: number;
}

export function createScriptDetector(options: ScriptDetectorOptions = {}): ScriptDetector {
  const { maxCodeChars = DEFAULT_MAX_CODE_CHARS } = options;
  const text = createTextReader();
  let script: OpenScript | undefined;
  let events: ScriptEvent[] = [];
  /** A high surrogate that waits for its other half. */
  let half = "";
  /** From chunks before: what may be the beginning of a tag. */
  let held = "";
  let isHolding = false;

  const emit = (content: string): void => {
    if (content === "") return;
    if (script !== undefined) keepCode(script, content);
    const last = events.at(-1);
    if (script === undefined) {
      if (last?.kind === "text") events[events.length - 1] = { kind: "text", text: last.text + content };
      else events.push({ kind: "text", text: content });
    } else if (last?.kind === "script_delta") {
      events[events.length - 1] = { kind: "script_delta", code: last.code + content };
    } else events.push({ kind: "script_delta", code: content });
  };

  const keepCode = (open: OpenScript, code: string): void => {
    open.chars += code.length;
    if (open.chars > maxCodeChars) open.pieces.length = 0;
    else open.pieces.push(code);
  };

  const turn = (tag: string): void => {
    if (script !== undefined) return endScript(script, tag);
    events.push({ kind: "script_started", tag, attributes: readAttributes(tag) });
    script = { reader: createScriptReader(), pieces: [], chars: 0 };
  };

  const endScript = (open: OpenScript, tag: string): void => {
    events.push({ kind: "script_ended", tag, outcome: outcomeOf(open, tag) });
    script = undefined;
  };

  const outcomeOf = ({ reader, pieces, chars }: OpenScript, tag: string): ScriptOutcome => {
    if (chars > maxCodeChars) return { kind: "too_large", maxCodeChars };
    const reason = reader.doubt();
    if (reason !== undefined) return { kind: "ambiguous", reason };
    return tag === "" ? { kind: "unterminated" } : { kind: "complete", code: pieces.join("") };
  };

  const read = (input: string): void => {
    let from = 0;
    const take = (to: number): string => {
      const taken = held + input.slice(from, to);
      held = "";
      from = to;
      return taken;
    };
    for (let at = 0; at < input.length; at++) {
      const reader: Reader = script?.reader ?? text;
      const step = reader.next(input.charAt(at));
      isHolding = step === "begins" || step === "held";
      if (step === "begins") emit(take(at));
      else if (step === "tag") turn(take(at + 1));
    }
    const rest = take(input.length);
    if (isHolding) held = rest;
    else emit(rest);
  };

  const flush = (): readonly ScriptEvent[] => {
    const flushed = events;
    events = [];
    return flushed;
  };

  return {
    push(chunk) {
      const input = half + chunk;
      const isCut = isHighSurrogate(input.charCodeAt(input.length - 1));
      half = isCut ? input.slice(-1) : "";
      read(isCut ? input.slice(0, -1) : input);
      return flush();
    },
    end() {
      read(half);
      emit(held);
      if (script !== undefined) endScript(script, "");
      return flush();
    },
  };
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** The attributes of an opening tag; one without a value is empty. */
function readAttributes(tag: string): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single, bare] of tag.slice("<script".length).matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase();
    if (!attributes.has(key)) attributes.set(key, double ?? single ?? bare ?? "");
  }
  return attributes;
}

/** Reads Markdown up to an opening tag outside of code; continues with the same line after the script. */
function createTextReader(): Reader {
  const markdown = createMarkdownCode();
  let opening: TagReader | undefined;
  return {
    next(unit) {
      const openingSo = opening?.next(unit);
      if (openingSo === "partial") return "held";
      opening = undefined;
      if (openingSo === "whole") {
        markdown.resume();
        return "tag";
      }
      const isOutside = markdown.next(unit);
      if (unit !== "<" || !isOutside) return "plain";
      opening = createOpeningTag();
      return "begins";
    },
  };
}
