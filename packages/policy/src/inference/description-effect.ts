import { inflectedVerbOf, type VerbKind, worseKind } from "./verbs.ts";

/** What comes before the verb in a sentence about a tool, and says nothing of it. */
const FILLERS = new Set(
  `this the a an tool function endpoint api operation method command action service use used using call to you
  your user users us one agent agents assistant robot it its which that can will may might should must be is are
  for when if need want wants allows allow lets let enables enable helps help able and safely securely
  automatically auto quickly easily simply optionally directly please only also just programmatically`.split(
    /\s+/,
  ),
);
/** `Enable …` is an act; `enables you to …` is not. */
const HELPERS = new Set(["allow", "allows", "let", "lets", "enable", "enables", "help", "helps"]);
const HELPED = new Set(["you", "your", "the", "user", "users", "agent", "agents", "us", "one", "to"]);
/** With these, it is the thing that says what is done: `perform a search`. */
const LIGHT_VERBS = new Set([
  "perform",
  "performs",
  "performing",
  "conduct",
  "conducts",
  "do",
  "does",
  "carry",
  "carries",
]);
const RUNS = new Set(["run", "runs", "execute", "executes"]);
const LOOKS = new Set(
  `search lookup query check analysis calculation comparison conversion estimation estimate validation
  verification count inspection retrieval translation prediction forecast measurement`.split(/\s+/),
);
const JOINTS = new Set([",", "and", "or", "then", "/", "&"]);
/** What stands before a thing: so the word before it is an act. */
const DETERMINERS = new Set(
  "the a an it them its their all any each every this these those your new one multiple".split(" "),
);
/** Words within which `perform a reverse phone lookup` must say what it is. */
const LIGHT_REACH = 6;

/** What the first sentence of a tool's description says it does: its verb, and those joined to it. */
export function descriptionEffect(description: string): VerbKind | "unknown" {
  const words = firstSentence(description);
  const at = headAt(words);
  const head = words[at];
  if (head === undefined) return "unknown";
  const kind = headKind(head, words.slice(at + 1, at + 1 + LIGHT_REACH));
  if (kind === undefined) return "unknown";
  return [...chained(words, at), ...appended(words, at)].reduce(worseKind, kind);
}

function firstSentence(description: string): readonly string[] {
  const [sentence = ""] = description.trim().split(/[.!?;:](?:\s|$)|\n\s*\n/, 1);
  return sentence.toLowerCase().match(/[\p{L}\p{N}']+|[,/&]/gu) ?? [];
}

function headAt(words: readonly string[]): number {
  return words.findIndex((word, at) => {
    if (HELPERS.has(word))
      return !HELPED.has(words[at + 1] ?? "") && inflectedVerbOf(words[at + 1] ?? "") === undefined;
    return !FILLERS.has(word) && word !== ",";
  });
}

function headKind(head: string, rest: readonly string[]): VerbKind | undefined {
  const looks = rest.some((word) => LOOKS.has(word));
  if (LIGHT_VERBS.has(head)) return looks ? "read" : undefined;
  // A query that is run may do anything; a search does not.
  if (RUNS.has(head) && rest.includes("search")) return "read";
  return kindOf(head);
}

/** A function returns something; a shop that takes back says so in the tool's name, too. */
function kindOf(word: string): VerbKind | undefined {
  return word === "return" || word === "returns" ? "read" : inflectedVerbOf(word)?.kind;
}

/** `view, update, or cancel …`: every verb up to the thing they share. */
function chained(words: readonly string[], head: number): readonly VerbKind[] {
  const kinds: VerbKind[] = [];
  for (let at = head + 1; at < words.length; at++) {
    const word = words[at] ?? "";
    if (JOINTS.has(word)) continue;
    const kind = kindOf(word);
    if (kind === undefined || !JOINTS.has(words[at - 1] ?? "")) break;
    kinds.push(kind);
  }
  return kinds;
}

/** `… and marks them as read`: further acts, told from things by what follows them. */
function appended(words: readonly string[], head: number): readonly VerbKind[] {
  return words.flatMap((word, at) => {
    if (at <= head || !JOINTS.has(words[at - 1] ?? "") || !DETERMINERS.has(words[at + 1] ?? "")) return [];
    const kind = kindOf(word);
    return kind === undefined ? [] : [kind];
  });
}
