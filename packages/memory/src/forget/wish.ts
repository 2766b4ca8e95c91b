import type { ForgetWish } from "@deputy/protocol";
import { plainWordsOf } from "../text/words-of.ts";

/** Something that may have to be forgotten. */
export interface Item {
  readonly text: string;
  /** When it was said or noted; undefined if nobody knows. */
  readonly at?: string | undefined;
  /** Where it is, and who wrote it: paths, sessions, senders, sources. */
  readonly sources: readonly string[];
}

/** Says what a wish is about. What the wish names must all hold. */
export interface WishMatcher {
  fits(item: Item): boolean;
  /**
   * The lines of a text that a wish is about, from 0. What is said in several lines, or with other spaces, is found,
   * too. `about` says what is known of a line besides its text.
   */
  lines(lines: readonly string[], about: (line: number) => Omit<Item, "text">): ReadonlySet<number>;
  /** Text that a file must not contain afterwards; none if the wish is not about words. */
  readonly traces: readonly string[];
}

export function readWish({ text, source, person, since, until }: ForgetWish): WishMatcher {
  const needle = text === undefined ? undefined : fold(text);
  const name = person === undefined ? undefined : ` ${plainWordsOf(person).join(" ")} `;
  const [from, to] = [Date.parse(since ?? ""), Date.parse(until ?? "")];
  const isPlaced = ({ at, sources }: Omit<Item, "text">): boolean => {
    if (source !== undefined && !sources.some((one) => isOf(one, source))) return false;
    if (since === undefined && until === undefined) return true;
    const ms = Date.parse(at ?? "");
    return !(Number.isNaN(ms) || ms < from || ms >= to);
  };
  const isNamed = (words: string, sources: readonly string[]): boolean =>
    name === undefined ||
    ` ${plainWordsOf(words).join(" ")} `.includes(name) ||
    sources.some((one) => ` ${plainWordsOf(one).join(" ")} `.includes(name));
  return {
    traces: [text, person].filter((one) => one !== undefined),
    fits(item) {
      if (!isPlaced(item) || !isNamed(item.text, item.sources)) return false;
      return needle === undefined || fold(item.text).includes(needle);
    },
    lines(lines, about) {
      const chosen = new Set<number>();
      const isMeant = (line: number): boolean => {
        const known = about(line);
        return isPlaced(known) && isNamed(lines[line] ?? "", known.sources);
      };
      if (needle === undefined) {
        for (const line of lines.keys())
          if ((lines[line] ?? "").trim() !== "" && isMeant(line)) chosen.add(line);
        return chosen;
      }
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
