import { MAX_FIELDS, MAX_LISTED } from "../limits.ts";
import type { PathFacts } from "../paths/path-facts.ts";
import { joinPath } from "../paths/resolve-path.ts";

/** More in one name take long to match. */
const MAX_STARS = 4;

/** A shell without `globskipdots`, as bash is before 5.2, finds these in every directory. */
const DOTS = [".", ".."];

/** One piece of a word: what it says, and whether a pattern's signs in it count. */
export interface Piece {
  readonly text: string;
  readonly role: "plain" | "pattern";
}

export type Expanded =
  | { readonly kind: "names"; readonly names: readonly string[]; readonly listed: readonly string[] }
  | { readonly kind: "unclear"; readonly why: string };

/**
 * The names that a pattern matches in a directory, as bash finds them with its default settings: sorted in no
 * particular order, hidden ones only where the pattern says so. Also which directories are listed for it.
 */
export function expandGlob(pieces: readonly Piece[], directory: string, facts: PathFacts): Expanded {
  const levels = splitLevels(pieces);
  const isPattern = (level: readonly Piece[]): boolean => level.some(({ role }) => role === "pattern");
  const firstPattern = levels.findIndex(isPattern);
  if (levels.slice(firstPattern).some((level) => plainText(level) === ".."))
    return { kind: "unclear", why: "it goes up with `..` behind a pattern" };
  let found: readonly string[] = [""];
  const listed: string[] = [];
  for (const [index, level] of levels.entries()) {
    const isLast = index === levels.length - 1;
    if (!isPattern(level)) {
      found = found.map((path) => path + plainText(level) + (isLast ? "" : "/"));
      continue;
    }
    const pattern = compile(level);
    if (pattern === undefined) return { kind: "unclear", why: "its pattern is not a simple one" };
    const next: string[] = [];
    for (const path of found) {
      const where = joinPath(directory, path === "" ? "." : path);
      listed.push(path === "" ? "." : path);
      const names = facts.list(where, MAX_LISTED) ?? [];
      if (names.length > MAX_LISTED) return { kind: "unclear", why: "it stands for too many names" };
      next.push(
        ...[...DOTS, ...names]
          .filter((name) => pattern.test(name))
          .map((name) => path + name + (isLast ? "" : "/")),
      );
      if (next.length > MAX_FIELDS) return { kind: "unclear", why: "it stands for too many names" };
    }
    found = next;
  }
  const goesByDots = (path: string): boolean =>
    path.split("/").some((name, index) => index >= firstPattern && DOTS.includes(name));
  const matches = found.filter(
    (path) =>
      goesByDots(path) || facts.look(joinPath(directory, path).replace(/(?<=.)\/+$/, "")) !== undefined,
  );
  // A pattern without a match stays as it is written. For some shells `.` and `..` are no matches, so both can happen.
  const names = matches.every(goesByDots) ? [...matches, pieces.map(({ text }) => text).join("")] : matches;
  return { kind: "names", names, listed };
}

function splitLevels(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const levels: Piece[][] = [[]];
  for (const { text, role } of pieces) {
    for (const [index, part] of text.split("/").entries()) {
      if (index > 0) levels.push([]);
      if (part !== "") levels.at(-1)?.push({ text: part, role });
    }
  }
  return levels;
}

function plainText(level: readonly Piece[]): string {
  return level.map(({ text }) => text).join("");
}

function compile(level: readonly Piece[]): RegExp | undefined {
  if (level.filter(({ text, role }) => role === "pattern" && text.startsWith("*")).length > MAX_STARS)
    return undefined;
  let source = "";
  for (const { text, role } of level) {
    if (role === "plain") source += text.replaceAll(/[^\w\s]/g, String.raw`\$&`);
    else if (/^\*+$/.test(text)) source += "[^]*?";
    else if (text === "?") source += "[^]";
    else if (/^\[[!^]?[\w.-]+\]$/.test(text)) source += compileSet(text);
    else return undefined;
  }
  const hidden = plainText(level).startsWith(".") ? "" : String.raw`(?!\.)`;
  try {
    // Some locales take capitals into a range; judging a name too many does no harm.
    return new RegExp(`^${hidden}${source}$`, "iu");
  } catch {
    return undefined;
  }
}

/** `[…]`. Where a range begins or ends at a sign, it depends on the locale what is between, so it may be anything. */
function compileSet(text: string): string {
  const inner = text.replace(/^\[[!^]?|\]$/g, "");
  if (/[^A-Za-z\d]-.|.-[^A-Za-z\d]/.test(inner)) return "[^]";
  return text.replace(/^\[[!^]/, "[^");
}
