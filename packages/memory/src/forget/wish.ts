import type { ForgetWish } from "@deputy/protocol";
import type { DocumentKind } from "../document.ts";
import { plainWordsOf } from "../text/words-of.ts";

/** Something that may have to be forgotten. */
export interface Item {
  readonly text: string;
  /** When it was said or noted; undefined if nobody knows. */
  readonly at?: string | undefined;
  /** Where it is, and who wrote it: paths, sessions, senders, sources. */
  readonly sources: readonly string[];
  /** What names it: who wrote it, and what its file is called. What has the words in its name is meant as a whole. */
  readonly names: readonly string[];
}

/** Says what a wish is about. What the wish names must all hold. */
export interface WishMatcher {
  fits(item: Item): boolean;
  /**
   * The lines of a text that a wish is about, from 0. What is said in several lines, or with other spaces, is found,
   * too. `about` says what is known of a line besides its text.
   */
  lines(lines: readonly string[], about: (line: number) => Omit<Item, "text">): ReadonlySet<number>;
  /** True if a name has the words of the text, or of the person: `anna-schmidt.md` is called by “Anna Schmidt”. */
  isCalled(name: string): boolean;
  /** True if a text has the words at all: nothing that stays may repeat it. */
  isIn(text: string): boolean;
  /** Text that a file must not contain afterwards; none if the wish is not about words. */
  readonly traces: readonly string[];
}

export function readWish({ text, source, person, since, until }: ForgetWish): WishMatcher {
  const traces = [text, person].filter((one) => one !== undefined);
  const needle = text === undefined ? undefined : fold(text);
  const hasText = text === undefined ? undefined : hasWordsOf(text);
  const hasPerson = person === undefined ? undefined : hasWordsOf(person);
  const [from, to] = [Date.parse(since ?? ""), Date.parse(until ?? "")];
  const isPlaced = ({ at, sources }: Omit<Item, "text">): boolean => {
    if (source !== undefined && !sources.some((one) => isOf(one, source))) return false;
    if (since === undefined && until === undefined) return true;
    const ms = Date.parse(at ?? "");
    return !(Number.isNaN(ms) || ms < from || ms >= to);
  };
  const isAbout = (words: string, names: readonly string[]): boolean =>
    hasPerson === undefined || hasPerson(words) || names.some(hasPerson);
  const isNamed = (names: readonly string[]): boolean => hasText !== undefined && names.some(hasText);
  return {
    traces,
    isCalled: (name) => hasText?.(name) === true || hasPerson?.(name) === true,
    isIn: (other) => traces.some((one) => fold(other).includes(fold(one)) || hasWordsOf(one)(other)),
    fits(item) {
      if (!isPlaced(item) || !isAbout(item.text, item.names)) return false;
      return needle === undefined || fold(item.text).includes(needle) || isNamed(item.names);
    },
    lines(lines, about) {
      const chosen = new Set<number>();
      const isMeant = (line: number): boolean => {
        const known = about(line);
        return isPlaced(known) && isAbout(lines[line] ?? "", known.names);
      };
      for (const line of lines.keys()) {
        if ((lines[line] ?? "").trim() === "" || !(needle === undefined || isNamed(about(line).names)))
          continue;
        if (isMeant(line)) chosen.add(line);
      }
      if (needle === undefined) return chosen;
      const { folded, lineOf } = foldLines(lines);
      for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + 1)) {
        const [first = 0, last = 0] = [lineOf[at], lineOf[at + needle.length - 1]];
        const run = Array.from({ length: last - first + 1 }, (_, n) => first + n);
        if (run.some(isMeant)) for (const line of run) chosen.add(line);
      }
      return chosen;
    },
  };
}

/**
 * What of a note's path says what it is about: what lies in `memory` or `skills`, without the ending and the day. What
 * the agent and its folders are called says nothing.
 */
export function nameOfNote(path: string): readonly string[] {
  const [, inside] = /^[^/]+\/(?:memory|skills)\/(.+)$/.exec(path) ?? [];
  return inside === undefined ? [] : [plainName(inside)];
}

/** The same of a document as it is shown: `notes/people/anna.md`, of which the first is the folder that is remembered. */
export function nameOfShown(shown: string, kind: DocumentKind): readonly string[] {
  const [root = "", ...inside] = shown.split("/");
  if (inside.length > 0) return [plainName(inside.join("/"))];
  return kind === "extra" ? [plainName(root)] : [];
}

function plainName(path: string): string {
  return path
    .replace(/\.[^./]*$/, "")
    .replaceAll(/\d{4}-\d{2}-\d{2}/g, " ")
    .replace(/(^|\/)SKILL$/, "");
}

/** Whole words, one after the other, whatever stands between them. */
function hasWordsOf(wanted: string): (text: string) => boolean {
  const words = ` ${plainWordsOf(wanted).join(" ")} `;
  return (text) => words.trim() !== "" && ` ${plainWordsOf(text).join(" ")} `.includes(words);
}

/** A path is also named by a folder that it is in. */
function isOf(source: string, wanted: string): boolean {
  const [one, other] = [source.toLowerCase(), wanted.toLowerCase()];
  return one === other || one.startsWith(`${other.replace(/\/$/, "")}/`);
}

function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();
}

/** All lines folded into one text, and for each of its characters the line that it is from. */
function foldLines(lines: readonly string[]): {
  readonly folded: string;
  readonly lineOf: readonly number[];
} {
  let folded = "";
  const lineOf: number[] = [];
  for (const [at, line] of lines.entries()) {
    const own = fold(line);
    if (own === "") continue;
    const joined = folded === "" ? own : ` ${own}`;
    folded += joined;
    for (let n = 0; n < joined.length; n++) lineOf.push(at);
  }
  return { folded, lineOf };
}
