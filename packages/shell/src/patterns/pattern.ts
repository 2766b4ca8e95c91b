import { readBracket } from "./bracket.ts";

/** Whether `*` and `?` pass over `/`, and what counts as the same letter. */
export interface PatternOptions {
  readonly extglob: boolean;
  readonly ignoreCase: boolean;
}

/** A shell pattern, ready to be used often. Quoted characters have a backslash before them. */
export interface Pattern {
  /** Set if the pattern has no special character. */
  readonly literal: string | undefined;
  matches(text: string): boolean;
  /** Where the shortest or longest match that begins at the start ends; -1 if there is none. */
  prefix(text: string, which: "shortest" | "longest"): number;
  /** Where the shortest or longest match that ends at the end begins; -1 if there is none. */
  suffix(text: string, which: "shortest" | "longest"): number;
  /** The first match from `from` on, the longest at its place. */
  find(text: string, from: number): { readonly start: number; readonly end: number } | undefined;
}

type Piece =
  | { readonly kind: "char"; readonly text: string }
  | { readonly kind: "any" }
  | { readonly kind: "star" }
  | { readonly kind: "bracket"; readonly source: string }
  | { readonly kind: "group"; readonly sign: string; readonly branches: readonly (readonly Piece[])[] };

const SPECIAL = /[\\*?[]|[?*+@!]\(/;

/** Patterns that were compiled before. */
export type PatternCache = Map<string, Pattern>;
const MOST_KEPT = 2_000;

export function compilePattern(kept: PatternCache, text: string, options: PatternOptions): Pattern {
  const key = `${options.extglob ? "x" : "-"}${options.ignoreCase ? "i" : "-"}${text}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const pattern = createPattern(text, options);
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(key, pattern);
  return pattern;
}

function createPattern(text: string, options: PatternOptions): Pattern {
  if (!SPECIAL.test(text) && !options.ignoreCase) return literalPattern(text);
  const pieces = parsePieces(text, 0, options.extglob, "").pieces;
  if (!options.ignoreCase && pieces.every((piece) => piece.kind === "char")) {
    return literalPattern(pieces.map((piece) => (piece.kind === "char" ? piece.text : "")).join(""));
  }
  if (hasNegation(pieces)) return searchedPattern(negationMatcher(pieces, options));
  const flags = options.ignoreCase ? "sui" : "su";
  const greedy = toSource(pieces, "greedy");
  const whole = new RegExp(`^(?:${greedy})$`, flags);
  const matches = (each: string): boolean => whole.test(each);
  if (pieces.some((piece) => piece.kind === "group")) return searchedPattern(matches);
  const longest = new RegExp(`^(?:${greedy})`, flags);
  const shortest = new RegExp(`^(?:${toSource(pieces, "lazy")})`, flags);
  const anywhere = new RegExp(greedy, `${flags}g`);
  return {
    ...searchedPattern(matches),
    prefix(each, which) {
      const match = (which === "longest" ? longest : shortest).exec(each);
      return match === null ? -1 : match[0].length;
    },
    find(each, from) {
      anywhere.lastIndex = from;
      const match = anywhere.exec(each);
      return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
    },
  };
}

function literalPattern(literal: string): Pattern {
  return {
    literal,
    matches: (text) => text === literal,
    prefix: (text) => (text.startsWith(literal) ? literal.length : -1),
    suffix: (text) => (text.endsWith(literal) ? text.length - literal.length : -1),
    find(text, from) {
      const start = text.indexOf(literal, from);
      return start === -1 ? undefined : { start, end: start + literal.length };
    },
  };
}

/** Where a regular expression cannot say it, every length is tried. */
function searchedPattern(matches: (text: string) => boolean): Pattern {
  return {
    literal: undefined,
    matches,
    prefix(text, which) {
      for (let i = 0; i <= text.length; i += 1) {
        const end = which === "shortest" ? i : text.length - i;
        if (!splitsPair(text, end) && matches(text.slice(0, end))) return end;
      }
      return -1;
    },
    suffix(text, which) {
      for (let i = 0; i <= text.length; i += 1) {
        const start = which === "shortest" ? text.length - i : i;
        if (!splitsPair(text, start) && matches(text.slice(start))) return start;
      }
      return -1;
    },
    find(text, from) {
      for (let start = from; start <= text.length; start += 1) {
        for (let end = text.length; end >= start; end -= 1) {
          if (!splitsPair(text, end) && matches(text.slice(start, end))) return { start, end };
        }
      }
      return undefined;
    },
  };
}

function splitsPair(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff;
}

function parsePieces(
  text: string,
  from: number,
  extglob: boolean,
  stop: "" | "group",
): { readonly pieces: readonly Piece[]; readonly end: number } {
  const pieces: Piece[] = [];
  let i = from;
  while (i < text.length) {
    const char = text.charAt(i);
    if (stop === "group" && (char === "|" || char === ")")) break;
    if (extglob && "?*+@!".includes(char) && text.charAt(i + 1) === "(") {
      const group = parseGroup(text, i, extglob);
      if (group !== undefined) {
        pieces.push(group.piece);
        i = group.end;
        continue;
      }
    }
    if (char === "\\" && i + 1 < text.length) {
      const quoted = String.fromCodePoint(text.codePointAt(i + 1) ?? 0);
      pieces.push({ kind: "char", text: quoted });
      i += 1 + quoted.length;
      continue;
    }
    if (char === "*") {
      if (pieces.at(-1)?.kind !== "star") pieces.push({ kind: "star" });
    } else if (char === "?") pieces.push({ kind: "any" });
    else if (char === "[") {
      const bracket = readBracket(text, i, "quotes");
      if (bracket !== undefined) {
        pieces.push({ kind: "bracket", source: bracket.source });
        i = bracket.end;
        continue;
      }
      pieces.push({ kind: "char", text: char });
    } else {
      const whole = String.fromCodePoint(text.codePointAt(i) ?? 0);
      pieces.push({ kind: "char", text: whole });
      i += whole.length - 1;
    }
    i += 1;
  }
  return { pieces, end: i };
}

function parseGroup(
  text: string,
  at: number,
  extglob: boolean,
): { readonly piece: Piece; readonly end: number } | undefined {
  const branches: (readonly Piece[])[] = [];
  let i = at + 2;
  for (;;) {
    const branch = parsePieces(text, i, extglob, "group");
    branches.push(branch.pieces);
    i = branch.end;
    if (i >= text.length) return undefined;
    i += 1;
    if (text.charAt(i - 1) === ")")
      return { piece: { kind: "group", sign: text.charAt(at), branches }, end: i };
  }
}

function hasNegation(pieces: readonly Piece[]): boolean {
  return pieces.some(
    (piece) =>
      piece.kind === "group" && (piece.sign === "!" || piece.branches.some((branch) => hasNegation(branch))),
  );
}

const REGEX_SPECIAL = /[\\^$.*+?()[\]{}|/-]/g;

/** The text as a source of a RegExp with the flag `u`. */
export function escapeRegex(text: string): string {
  return text.replaceAll(REGEX_SPECIAL, (char) => (char === "-" ? "\\x2d" : `\\${char}`));
}

function toSource(pieces: readonly Piece[], stars: "greedy" | "lazy"): string {
  return pieces
    .map((piece) => {
      switch (piece.kind) {
        case "char":
          return escapeRegex(piece.text);
        case "any":
          return ".";
        case "star":
          return stars === "greedy" ? ".*" : ".*?";
        case "bracket":
          return piece.source;
        case "group": {
          const body = piece.branches.map((branch) => toSource(branch, stars)).join("|");
          return `(?:${body})${piece.sign === "@" ? "" : piece.sign}`;
        }
        default:
          return piece satisfies never;
      }
    })
    .join("");
}

type Then = (at: number) => boolean;

/** Matches by trying: `!(…)` is no regular expression. */
function negationMatcher(pieces: readonly Piece[], options: PatternOptions): (text: string) => boolean {
  const flags = options.ignoreCase ? "sui" : "su";
  const sources = new Map<Piece, RegExp>();
  const one = (piece: Piece, char: string): boolean => {
    let regex = sources.get(piece);
    if (regex === undefined) {
      regex = new RegExp(`^(?:${toSource([piece], "greedy")})$`, flags);
      sources.set(piece, regex);
    }
    return regex.test(char);
  };
  return (text) => {
    const chars = Array.from(text);
    const sequence = (list: readonly Piece[], i: number, at: number, then: Then): boolean => {
      const piece = list[i];
      if (piece === undefined) return then(at);
      if (piece.kind === "star") {
        for (let end = chars.length; end >= at; end -= 1) if (sequence(list, i + 1, end, then)) return true;
        return false;
      }
      if (piece.kind === "group") return group(piece, at, (end) => sequence(list, i + 1, end, then));
      const char = chars[at];
      return char !== undefined && one(piece, char) && sequence(list, i + 1, at + 1, then);
    };
    const group = (piece: Extract<Piece, { kind: "group" }>, at: number, then: Then): boolean => {
      const some = (from: number, next: Then): boolean =>
        piece.branches.some((branch) => sequence(branch, 0, from, next));
      const repeat = (from: number): boolean => then(from) || some(from, (end) => end > from && repeat(end));
      switch (piece.sign) {
        case "@":
          return some(at, then);
        case "?":
          return then(at) || some(at, then);
        case "*":
          return repeat(at);
        case "+":
          return some(at, (end) => repeat(end));
        default:
          for (let end = chars.length; end >= at; end -= 1) {
            if (!some(at, (stop) => stop === end) && then(end)) return true;
          }
          return false;
      }
    };
    return sequence(pieces, 0, 0, (end) => end === chars.length);
  };
}

/** The text with a backslash before whatever a pattern would read. */
export function escapePattern(text: string): string {
  return /[\\*?[\]()|!+@-]/.test(text) ? text.replaceAll(/[\\*?[\]()|!+@^-]/g, "\\$&") : text;
}
