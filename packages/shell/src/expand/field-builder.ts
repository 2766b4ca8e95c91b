import { hasGlob } from "../patterns/expand-glob.ts";
import { escapePattern, escapeRegex } from "../patterns/pattern.ts";

/**
 * What becomes of quotes and lists:
 * - `fields`: words are split, and patterns may stand for files;
 * - `text`: one text;
 * - `pattern`, `regex`: one text in which quoted characters stand for themselves;
 * - `replacement`: as for `${x/a/b}`, with `\&` for a quoted `&`.
 */
export type ExpandMode = "fields" | "text" | "pattern" | "regex" | "replacement";

export interface Field {
  readonly text: string;
  /** Set if files may be meant: the text with quoted characters escaped. */
  readonly pattern: string | undefined;
}

/** Puts fields together from pieces of text. */
export class FieldBuilder {
  readonly mode: ExpandMode;
  readonly #ifs: string;
  readonly #isSpace: (char: string) => boolean;
  fields: Field[] = [];
  #text = "";
  #pattern = "";
  #globs = false;
  #active = false;
  #endedBySpace = false;

  constructor(mode: ExpandMode, ifs: string) {
    this.mode = mode;
    this.#ifs = ifs;
    this.#isSpace = (char) => (char === " " || char === "\t" || char === "\n") && ifs.includes(char);
  }

  /** Text that is part of the word as it is written. */
  literal(text: string, quoted: boolean): void {
    switch (this.mode) {
      case "fields":
        this.#append(text, quoted);
        return;
      case "text":
        this.#text += text;
        return;
      case "pattern":
        this.#text += quoted ? escapePattern(text) : text;
        return;
      case "regex":
        this.#text += quoted ? escapeRegex(text) : text;
        return;
      case "replacement":
        this.#text += quoted ? text.replaceAll(/[\\&]/g, "\\$&") : text;
    }
  }

  #append(text: string, quoted: boolean): void {
    this.#active = true;
    this.#endedBySpace = false;
    this.#text += text;
    if (quoted) this.#pattern += escapePattern(text);
    else {
      this.#pattern += text;
      this.#globs = true;
    }
  }

  /** The result of an expansion without quotes. */
  split(text: string): void {
    if (this.mode !== "fields") {
      this.literal(text, false);
      return;
    }
    if (text === "") return;
    if (this.#ifs === "" || !this.#hasSeparator(text)) {
      this.#append(text, false);
      return;
    }
    let from = 0;
    for (let i = 0; i < text.length; i += 1) {
      const char = text.charAt(i);
      if (!this.#ifs.includes(char)) continue;
      if (i > from) this.#append(text.slice(from, i), false);
      from = i + 1;
      if (this.#isSpace(char)) {
        if (!this.#active) continue;
        this.#end();
        this.#endedBySpace = true;
      } else if (this.#active) this.#end();
      else if (this.#endedBySpace) this.#endedBySpace = false;
      else {
        this.#active = true;
        this.#end();
      }
    }
    if (from < text.length) this.#append(text.slice(from), false);
  }

  #hasSeparator(text: string): boolean {
    for (let i = 0; i < this.#ifs.length; i += 1) if (text.includes(this.#ifs.charAt(i))) return true;
    return false;
  }

  /** An empty pair of quotes still is a word. */
  touch(): void {
    this.#active = true;
  }

  /** The end of a field between two elements of a list. */
  next(): void {
    if (this.mode !== "fields") this.#text += " ";
    else if (this.#active) this.#end();
  }

  #end(): void {
    this.fields.push({
      text: this.#text,
      pattern: this.#globs && hasGlob(this.#pattern) ? this.#pattern : undefined,
    });
    this.#text = "";
    this.#pattern = "";
    this.#globs = false;
    this.#active = false;
    this.#endedBySpace = false;
  }

  /** All fields. */
  finish(): readonly Field[] {
    if (this.#active) this.#end();
    return this.fields;
  }

  /** The text, for every mode but `fields`. */
  get text(): string {
    return this.#text;
  }
}
