/* oxlint-disable import/no-cycle -- words have parameters in them, and parameters have words */
import { unescapeText } from "../text/escapes.ts";
import { findArithmeticEnd, findBracketEnd, findSubstitutionEnd } from "./find-end.ts";
import { parseParameter } from "./parse-parameter.ts";
import type { Script } from "./script.ts";
import type { Part, Word } from "./word.ts";

/**
 * How quotes count in a text:
 * - `word`: as in an argument;
 * - `assignment`: as in a word, with `~` after each `:` as well;
 * - `double`: as between double quotes;
 * - `document`: as in a here-document: `"` is a character like others;
 * - `arithmetic`: as in `$((…))`: `"` is dropped, `'` is a character.
 */
export type WordMode = "word" | "assignment" | "double" | "document" | "arithmetic";

/** Parses the text of a command substitution; given in, so that words need not know how scripts are parsed. */
export type ParseNested = (source: string, line: number) => Script;

export interface WordContext {
  readonly parseNested: ParseNested;
  /** The line that the text begins in, for messages of what is nested. */
  readonly line: number;
}

const IS_PLAIN = /^[A-Za-z0-9_./:=,+@%^-]*$/;

/** Never throws: what bash would refuse at run time is a part that says so. */
export function parseWord(text: string, mode: WordMode, context: WordContext): Word {
  if (mode === "word" && IS_PLAIN.test(text)) return constantWord(text);
  const scanner = new WordScanner(text, mode, context);
  const parts = scanner.parse();
  return { kind: "word", text, parts, constant: constantOf(parts) };
}

export function constantWord(text: string): Word {
  return { kind: "word", text, parts: [{ kind: "literal", text, quoted: false }], constant: text };
}

const GLOB = /[*?[\\]|[@!+]\(/;

function constantOf(parts: readonly Part[]): string | undefined {
  let text = "";
  for (const part of parts) {
    if (part.kind === "literal") {
      if (!part.quoted && GLOB.test(part.text)) return undefined;
      text += part.text;
    } else if (part.kind === "quoted") {
      for (const inner of part.parts) {
        if (inner.kind !== "literal") return undefined;
        text += inner.text;
      }
    } else return undefined;
  }
  return text;
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const TILDE = /~[A-Za-z0-9_.+-]*(?=$|[/:])/y;
const TILDE_WORD = /~[A-Za-z0-9_.+-]*(?=$|\/)/y;

class WordScanner {
  readonly #text: string;
  readonly #mode: WordMode;
  readonly #context: WordContext;
  #at = 0;
  #parts: Part[] = [];
  #plain = "";

  constructor(text: string, mode: WordMode, context: WordContext) {
    this.#text = text;
    this.#mode = mode;
    this.#context = context;
  }

  parse(): readonly Part[] {
    const isWord = this.#mode === "word" || this.#mode === "assignment";
    if (isWord) this.#tilde();
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (char === "$" && this.#dollar(isWord)) continue;
      if (char === "`") this.#backquote();
      else if (char === "\\") this.#backslash(isWord);
      else if (isWord && char === "'") this.#single();
      else if (char === '"' && this.#mode !== "document") this.#double(isWord);
      else if (isWord && (char === "<" || char === ">") && this.#text.charAt(this.#at + 1) === "(")
        this.#processSubstitution();
      else {
        this.#plain += char;
        this.#at += 1;
        if (this.#mode === "assignment" && char === ":") this.#tilde();
      }
    }
    this.#flush();
    return this.#parts;
  }

  #flush(): void {
    if (this.#plain === "") return;
    const quoted = this.#mode === "double" || this.#mode === "document";
    this.#parts.push({ kind: "literal", text: this.#plain, quoted });
    this.#plain = "";
  }

  #push(part: Part): void {
    this.#flush();
    this.#parts.push(part);
  }

  #tilde(): void {
    const pattern = this.#mode === "assignment" ? TILDE : TILDE_WORD;
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) return;
    this.#push({ kind: "tilde", user: match[0].slice(1) });
    this.#at += match[0].length;
  }

  #backslash(isWord: boolean): void {
    const next = this.#text.charAt(this.#at + 1);
    if (next === "\n") {
      this.#at += 2;
      return;
    }
    if (isWord) {
      this.#push({ kind: "literal", text: next === "" ? "\\" : next, quoted: true });
      this.#at += 2;
      return;
    }
    const isEscape = next !== "" && ("$`\\".includes(next) || (next === '"' && this.#mode !== "document"));
    this.#plain += isEscape ? next : `\\${next}`;
    this.#at += 2;
  }

  #single(): void {
    const end = this.#text.indexOf("'", this.#at + 1);
    const stop = end === -1 ? this.#text.length : end;
    this.#push({ kind: "literal", text: this.#text.slice(this.#at + 1, stop), quoted: true });
    this.#at = stop + 1;
  }

  #double(isWord: boolean): void {
    if (this.#mode === "arithmetic") {
      this.#at += 1;
      return;
    }
    const end = findDoubleEnd(this.#text, this.#at + 1);
    const inner = this.#text.slice(this.#at + 1, end);
    const { parts } = parseWord(inner, "double", this.#context);
    // Between double quotes, a second pair (in the operand of an expansion) only adds its text.
    if (isWord) this.#push({ kind: "quoted", parts });
    else for (const part of parts) this.#push(part);
    this.#at = end + 1;
  }

  #backquote(): void {
    let end = this.#at + 1;
    let inner = "";
    while (end < this.#text.length && this.#text.charAt(end) !== "`") {
      const char = this.#text.charAt(end);
      const next = this.#text.charAt(end + 1);
      if (char === "\\" && next !== "") {
        const dropped =
          next === "`" || next === "\\" || next === "$" || (next === '"' && this.#mode === "double");
        inner += dropped ? next : `\\${next}`;
        end += 2;
        continue;
      }
      inner += char;
      end += 1;
    }
    this.#push({ kind: "command", script: this.#nested(inner), mode: "subshell" });
    this.#at = end + 1;
  }

  #processSubstitution(): void {
    const direction = this.#text.charAt(this.#at) === "<" ? "<" : ">";
    const end = findSubstitutionEnd(this.#text, this.#at + 2);
    this.#push({ kind: "process", direction, script: this.#nested(this.#text.slice(this.#at + 2, end)) });
    this.#at = end + 1;
  }

  #nested(source: string): () => Script {
    const { parseNested, line } = this.#context;
    const before = this.#text.slice(0, this.#at);
    let script: Script | undefined;
    return () => (script ??= parseNested(source, line + countLines(before)));
  }

  /** True if `$` begins something. */
  #dollar(isWord: boolean): boolean {
    const text = this.#text;
    const at = this.#at;
    const next = text.charAt(at + 1);
    if (next === "(") {
      if (text.charAt(at + 2) === "(") {
        const end = findArithmeticEnd(text, at + 3);
        if (end !== undefined) {
          this.#arithmetic(text.slice(at + 3, end));
          this.#at = end + 2;
          return true;
        }
      }
      const end = findSubstitutionEnd(text, at + 2);
      this.#push({ kind: "command", script: this.#nested(text.slice(at + 2, end)), mode: "subshell" });
      this.#at = end + 1;
      return true;
    }
    if (next === "[") {
      const end = findBracketEnd(text, at + 2);
      this.#arithmetic(text.slice(at + 2, end));
      this.#at = end + 1;
      return true;
    }
    if (next === "{") {
      const inline = /^\$\{([ \t\n|])/.exec(text.slice(at, at + 3));
      if (inline !== null) {
        const end = findSubstitutionEnd(text, at, "inline");
        const source = text.slice(at + (inline[1] === "|" ? 3 : 2), end);
        this.#push({
          kind: "command",
          script: this.#nested(source),
          mode: inline[1] === "|" ? "reply" : "inline",
        });
        this.#at = end + 1;
        return true;
      }
      const { part, end } = parseParameter(text, at, isWord ? "word" : this.#mode, this.#context);
      this.#push(part);
      this.#at = end;
      return true;
    }
    if (isWord && next === "'") {
      const end = findAnsiEnd(text, at + 2);
      this.#push({
        kind: "literal",
        text: unescapeText(text.slice(at + 2, end), "ansi-c").text,
        quoted: true,
      });
      this.#at = end + 1;
      return true;
    }
    if (isWord && next === '"') {
      this.#at += 1;
      this.#double(true);
      return true;
    }
    return this.#simple(next);
  }

  #arithmetic(source: string): void {
    this.#push({ kind: "arithmetic", text: parseWord(source, "arithmetic", this.#context) });
  }

  #simple(next: string): boolean {
    let name = "";
    if (/[0-9@*#?$!-]/.test(next)) name = next;
    else {
      NAME.lastIndex = this.#at + 1;
      name = NAME.exec(this.#text)?.[0] ?? "";
    }
    if (name === "") return false;
    this.#push(simpleParameter(name));
    this.#at += 1 + name.length;
    return true;
  }
}

export function simpleParameter(name: string): Part {
  return {
    kind: "parameter",
    name,
    subscript: undefined,
    prefix: "",
    operator: { kind: "none" },
    source: `$${name}`,
    bad: false,
  };
}

function countLines(text: string): number {
  let lines = 0;
  for (let i = text.indexOf("\n"); i !== -1; i = text.indexOf("\n", i + 1)) lines += 1;
  return lines;
}

function findAnsiEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length && text.charAt(i) !== "'") i += text.charAt(i) === "\\" ? 2 : 1;
  return Math.min(i, text.length);
}

/** Where the closing `"` is, with `$(…)`, `${…}` and backquotes passed over. */
export function findDoubleEnd(text: string, from: number): number {
  let i = from;
  while (i < text.length) {
    const char = text.charAt(i);
    if (char === '"') return i;
    if (char === "\\") i += 2;
    else i = skipNested(text, i, "double");
  }
  return text.length;
}

/** Passes over one character, or over the whole of what begins here. */
export function skipNested(text: string, at: number, quotes: "double" | "word"): number {
  const char = text.charAt(at);
  if (char === "\\") return at + 2;
  if (char === "`") {
    let i = at + 1;
    while (i < text.length && text.charAt(i) !== "`") i += text.charAt(i) === "\\" ? 2 : 1;
    return i + 1;
  }
  if (quotes === "word" && char === "'") {
    const end = text.indexOf("'", at + 1);
    return end === -1 ? text.length : end + 1;
  }
  if (quotes === "word" && char === '"') return findDoubleEnd(text, at + 1) + 1;
  if (char !== "$") return at + 1;
  const next = text.charAt(at + 1);
  if (next === "(") {
    if (text.charAt(at + 2) === "(") {
      const end = findArithmeticEnd(text, at + 3);
      if (end !== undefined) return end + 2;
    }
    return findSubstitutionEnd(text, at + 2) + 1;
  }
  if (next === "{") return findParameterEnd(text, at + 2, quotes) + 1;
  if (quotes === "word" && next === "'") return findAnsiEnd(text, at + 2) + 1;
  return at + 1;
}

/** Where the `}` of `${` is; `from` is behind the brace. */
export function findParameterEnd(text: string, from: number, quotes: "double" | "word"): number {
  if (/[ \t\n|]/.test(text.charAt(from))) return findSubstitutionEnd(text, from - 2, "inline");
  // A pattern has quotes of its own, also between double quotes.
  const isPattern = /^!?[A-Za-z_0-9@*]+(?:\[[^\]]*\])?[#%/^,]/.test(text.slice(from, from + 80));
  if (isPattern && quotes === "double" && /'/.test(text.slice(from))) {
    const end = findParameterEnd(text, from, "word");
    if (end < text.length) return end;
  }
  let i = from;
  // `${#}`, `${$}` and the like: the parameter's own name is no quote and no brace.
  if (text.charAt(i) !== "}") i += 1;
  while (i < text.length) {
    const char = text.charAt(i);
    if (char === "}") return i;
    if (char === '"') {
      i = findDoubleEnd(text, i + 1) + 1;
      continue;
    }
    i = skipNested(text, i, quotes);
  }
  return text.length;
}
