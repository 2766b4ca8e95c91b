/** The text a detector looks at. Everything in it is raw, redacted parts too. */
export interface View {
  readonly text: string;
  /** Nothing follows; else more text may. */
  readonly isFinal: boolean;
  /** Where the last run of visible ASCII begins that still may go on; the text's length when none does. */
  readonly openFrom: number;
  /** Where the last redacted part ends; 0 when there was none. */
  readonly redactedTo: number;
}

export interface Span {
  readonly start: number;
  readonly end: number;
  /** It was cut at a limit: what follows of that alphabet belongs to it. */
  readonly goesOn?: GoesOn | undefined;
}

/**
 * - `none`: no secret here, whatever follows.
 * - `more`: what follows decides. Never for a final text, and never for more than `LONGEST_WAIT` characters.
 * - `secret`: these parts.
 */
export type Verdict =
  | { readonly kind: "none" }
  | { readonly kind: "more" }
  | { readonly kind: "secret"; readonly spans: readonly Span[] };

export type GoesOn = "token" | "lines";

/** Pure. May read `LONGEST_LOOK_BACK` characters before `at`, and may begin a span `LONGEST_BEFORE` before it. */
export type Detect = (view: View, at: number, end: number) => Verdict;

/** A text that must be there for a detector to be asked, told apart without upper and lower case. */
export interface Anchor {
  /** At least three characters, none of them white space; `*` is any letter or digit, `#` a digit, `?` anything. */
  readonly literal: string;
  /** Its wildcards are none, and it may have white space. Three characters long. */
  readonly isPlain?: true;
  readonly detect: Detect;
}

export const LONGEST_LOOK_BACK = 512;
export const LONGEST_BEFORE = 80;
export const LONGEST_ANCHOR = 40;
/** A private key may be this long; nothing else waits nearly as long. */
export const LONGEST_WAIT = 16_384 + 256;

export const NONE: Verdict = { kind: "none" };
export const MORE: Verdict = { kind: "more" };

export function secret(start: number, end: number, goesOn?: GoesOn): Verdict {
  return { kind: "secret", spans: [{ start, end, goesOn }] };
}

/** True if a run without white space that begins at `from` may still continue and is shorter than `chars`. */
export function isOpen(view: View, from: number, chars: number): boolean {
  return !view.isFinal && from >= view.openFrom && view.text.length - from < chars;
}

/** True if the match of `run` at `from` reaches the end of the text and may still continue, up to `chars`. */
export function isCut({ text, isFinal }: View, run: RegExp, from: number, chars: number): boolean {
  if (from > text.length) return !isFinal;
  run.lastIndex = from;
  run.exec(text);
  return !isFinal && run.lastIndex >= text.length && text.length - from < chars;
}

/**
 * True if a word may begin here: after no letter or digit, an escape such as `\n` or `%3D`, or what was
 * redacted.
 */
export function beginsWord({ text, redactedTo }: View, at: number): boolean {
  if (at <= redactedTo || !isWordUnit(text.charCodeAt(at - 1))) return true;
  return /(?:\\[nrt]|%[0-9a-f]{2})$/i.test(text.slice(Math.max(0, at - 3), at));
}

/** Letters, digits, `_`, and `+`, which is part of base64. */
function isWordUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95 ||
    unit === 43
  );
}
