import { splitWords } from "./split-words.ts";
import { type Verb, type VerbKind, verbOf, worseKind } from "./verbs.ts";

export interface NameEffect {
  readonly kind: VerbKind | "unknown";
  /** True if the word could also be a thing that is read: `message_list`, `smartLockView`. */
  readonly couldBeRead: boolean;
}

interface PlacedVerb extends Verb {
  readonly at: number;
}

const JOINTS = new Set(["and", "or", "then"]);
/** With one of these after it, looking is not what is meant: `checkIn`, `lookAfter`. */
const PARTICLES = new Set(["in", "out", "off", "after", "into"]);

/** What a tool's path says it does. Names of the namespaces before it, which many repeat, are passed over. */
export function nameEffect(path: string): NameEffect {
  const words = actionWords(path);
  const verbs = words.flatMap((word, at): readonly PlacedVerb[] => {
    const verb = verbOf(word);
    if (verb === undefined) return [];
    const isPhrase = verb.isAlsoNoun && verb.kind === "read" && PARTICLES.has(words[at + 1] ?? "");
    return [{ ...verb, kind: isPhrase ? "write" : verb.kind, at }];
  });
  const head = headOf(verbs);
  if (head === undefined) return { kind: "unknown", couldBeRead: false };
  const further = verbs.filter((verb) => verb.at !== head.at && counts(verb, head, words));
  const kind = [head, ...further].map((verb) => verb.kind).reduce(worseKind);
  const couldBeRead = head.isAlsoNoun && verbs.some((verb) => couldBeAct(verb, head, words.length));
  return { kind, couldBeRead };
}

/** The last name's words, without those that repeat its namespaces: `lock` of `smart_lock.smartLockOpen` is no act. */
export function actionWords(path: string): readonly string[] {
  const names = path.split(".").map(splitWords);
  const words = names.pop() ?? [];
  for (const prefix of [names.flat(), names.at(-1) ?? []]) {
    const isRepeated =
      prefix.length > 0 && prefix.length < words.length && prefix.every((word, at) => word === words[at]);
    if (isRepeated) return words.slice(prefix.length);
  }
  return words;
}

/** The act: what comes first, unless that is more likely a thing; else what can only be an act; else anything. */
function headOf(verbs: readonly PlacedVerb[]): PlacedVerb | undefined {
  const [first] = verbs;
  const act = verbs.find((verb) => !verb.isAlsoNoun);
  if (first?.at === 0 && !(act?.at === 1 && first.isAlsoNoun)) return first;
  if (act !== undefined) return act;
  // Nothing but what could be things: the worst of it.
  return verbs.length === 0
    ? undefined
    : verbs.reduce((one, other) => (worseKind(one.kind, other.kind) === one.kind ? one : other));
}

/** True if a further verb adds to the first one, instead of naming its object. */
function counts(verb: PlacedVerb, head: PlacedVerb, words: readonly string[]): boolean {
  if (verb.at < head.at) return false;
  if (JOINTS.has(words[verb.at - 1] ?? "")) return true;
  return !verb.isAlsoNoun && (verb.kind === "destructive" || head.isAlsoNoun);
}

/**
 * True if the action may be reading and the last word a thing: `list` of `message_list`, `view` of
 * `smart_lock_view_history`.
 */
function couldBeAct(verb: PlacedVerb, head: PlacedVerb, length: number): boolean {
  return verb.kind === "read" && (!verb.isAlsoNoun || verb.at === length - 1 || head.at > 0);
}
