import type { Script } from "./script.ts";

/** A word, parsed once and expanded as often as it is reached. */
export interface Word {
  readonly kind: "word";
  readonly text: string;
  readonly parts: readonly Part[];
  /** Set if nothing is left to expand: the word as it is after quote removal, without a glob in it. */
  readonly constant: string | undefined;
}

export type Part =
  | LiteralPart
  | QuotedPart
  | ParameterPart
  | CommandPart
  | ArithmeticPart
  | ProcessPart
  | TildePart;

export interface LiteralPart {
  readonly kind: "literal";
  readonly text: string;
  readonly quoted: boolean;
}

/** `"…"`; without parts it is an empty word that still counts. */
export interface QuotedPart {
  readonly kind: "quoted";
  readonly parts: readonly Part[];
}

export interface TildePart {
  readonly kind: "tilde";
  readonly user: string;
}

export interface CommandPart {
  readonly kind: "command";
  /** Parsed at first use. */
  readonly script: () => Script;
  /** `${ …; }` and `${| …; }` run in the shell itself. */
  readonly mode: "subshell" | "inline" | "reply";
}

export interface ArithmeticPart {
  readonly kind: "arithmetic";
  readonly text: Word;
}

export interface ProcessPart {
  readonly kind: "process";
  readonly direction: "<" | ">";
  readonly script: () => Script;
}

export type ParameterOperator =
  | { readonly kind: "none" }
  | {
      readonly kind: "default";
      readonly test: "unset" | "null";
      readonly action: "-" | "=" | "+" | "?";
      readonly operand: Word;
    }
  | { readonly kind: "remove"; readonly side: "#" | "##" | "%" | "%%"; readonly pattern: Word }
  | {
      readonly kind: "replace";
      readonly where: "/" | "//" | "/#" | "/%";
      readonly pattern: Word;
      readonly replacement: Word;
    }
  | { readonly kind: "slice"; readonly offset: Word; readonly length: Word | undefined }
  | {
      readonly kind: "case";
      readonly how: "^" | "^^" | "," | ",," | "~" | "~~";
      readonly pattern: Word | undefined;
    }
  | { readonly kind: "transform"; readonly how: string }
  /** `${!prefix*}` and `${!prefix@}` */
  | { readonly kind: "names"; readonly join: "@" | "*" };

/** `[@]`, `[*]`, or the text of a subscript. */
export type Subscript = "@" | "*" | Word;

export interface ParameterPart {
  readonly kind: "parameter";
  readonly name: string;
  readonly subscript: Subscript | undefined;
  readonly prefix: "" | "#" | "!";
  readonly operator: ParameterOperator;
  /** As it is written, for messages. */
  readonly source: string;
  /** Set if this cannot be expanded at all: `bad substitution`. */
  readonly bad: boolean;
}
