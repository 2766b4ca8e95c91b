import { type Anchor, type Detect, MORE, NONE, type Verdict, type View } from "../detector.ts";
import { judgeNamed } from "./named-value.ts";
import words from "./secret-words.json" with { type: "json" };

const LONGEST_WORD = 24;
const ASCII_HEAD = /^[!-~]{3,}/;
const API_BEFORE = new RegExp(`(?:${words.apiKeyBefore.join("|")})[ '’-]?$`, "iu");
const API_AFTER = new RegExp(`^[ -]?(?:${words.apiKeyAfter.join("|")})`, "iu");
const API_AFTER_LETTERS = new Set(words.apiKeyAfter.map((word) => word.charAt(0)).concat(" ", "-"));

const headOf = (name: string): string => ASCII_HEAD.exec(name)?.[0] ?? name.slice(0, 3);

/** The letters beyond ASCII among the first three of names. */
export const TELLING_LETTERS: string = [
  ...new Set(words.elsewhere.flatMap((name) => headOf(name).split("")).filter((letter) => letter > "~")),
].join("");

/** Names for secrets in other languages than English. */
export const elsewhereAnchors: readonly Anchor[] = [
  ...[...groupNames(words.elsewhere)].map(([literal, names]): Anchor => {
    const detect = detectNames(names);
    if (ASCII_HEAD.test(literal)) return { literal, detect };
    // A name of two characters has any third behind it.
    return literal.length < 3 ? { literal: `${literal}?`, detect } : { literal, isPlain: true, detect };
  }),
  { literal: "api", detect: detectApiKey },
];

/** By what is looked for: the ASCII that a name begins with, or its first three characters. */
function groupNames(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(headOf(name), [...(groups.get(headOf(name)) ?? []), name]);
  return groups;
}

function detectNames(names: readonly string[]): Detect {
  const firsts = new Set(names.flatMap((name) => [name.charCodeAt(0), name.toUpperCase().charCodeAt(0)]));
  return (view, at) => {
    const { text } = view;
    if (!firsts.has(text.charCodeAt(at)) || !beginsName(text, at)) return NONE;
    const head = text.slice(at, at + LONGEST_WORD).toLowerCase();
    let found: Verdict = NONE;
    for (const name of names) {
      if (head.startsWith(name)) {
        if (/^[\p{L}\d]/u.test(text.slice(at + name.length, at + name.length + 2))) continue;
        if (!view.isFinal && at + name.length >= text.length) return MORE;
        const verdict = judgeNamed(view, at, at + name.length, "sure");
        if (verdict?.kind === "more") return MORE;
        if (verdict !== undefined) found = verdict;
      } else if (isBeginning(view, at, name, head)) return MORE;
    }
    return found;
  };
}

/** `Clé API`, `API-Schlüssel`, `API密钥`. */
function detectApiKey(...[view, at, end]: Parameters<Detect>): Verdict {
  const { text } = view;
  // Mostly it is the word in a sentence, or part of a name.
  const unit = text.charCodeAt(end);
  if (unit === 44 || unit === 46 || unit === 41 || unit === 95) return NONE;
  const next = text.charAt(end);
  const isBefore = !API_AFTER_LETTERS.has(next.toLowerCase());
  if (isBefore && (next === "" || !/[:=|*"'\s：]/.test(next)) && (view.isFinal || next !== "")) return NONE;
  if (next === " " && /^ [a-jl-mo-rt-z]/.test(text.slice(end, end + 2))) return NONE;
  const after = text.slice(end, end + LONGEST_WORD);
  const behind = API_AFTER.exec(after)?.[0];
  if (behind === undefined) {
    const isWaiting =
      !view.isFinal &&
      after.length < 12 &&
      words.apiKeyAfter.some((word) => word.startsWith(after.replace(/^[ -]/, "").toLowerCase()));
    if (isWaiting) return MORE;
    if (!API_BEFORE.test(text.slice(Math.max(0, at - LONGEST_WORD), at))) return NONE;
  }
  return judgeNamed(view, at, end + (behind?.length ?? 0), "sure") ?? NONE;
}

function isBeginning({ text, isFinal }: View, at: number, name: string, head: string): boolean {
  return !isFinal && text.length - at < name.length && name.startsWith(head);
}

function beginsName(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\d]/u.test(text.charAt(at - 1));
}
