import { wordsOfName } from "../words-of-name.ts";

/** What somebody asks to be done to all things of a kind: "delete all files", "add all users to it". */
export interface RequestForAll {
  readonly verb: string;
  /** As it was said, one or many. */
  readonly kind: string;
  /** Nothing in the sentence narrows it down, or takes it back. */
  readonly isPlain: boolean;
}

export interface AllOfKind {
  readonly effect: "write" | "egress" | "destructive";
  /** `files.deleteAll`: its first word says what it does. */
  readonly toolPath: string;
  /** `fileId`: one of its words is the kind. */
  readonly argument: string;
}

const SENTENCE_END = /[!?;\n]+|\.(?=\s|$)/;
const ALL =
  /(?<!\p{L})(?:all(?: of)?(?: the| my| our| these| those)?|every(?: single)?|each(?: of the)?) (\p{L}+)/gu;
const CLAUSE_END = /,|(?<!\p{L})(?:and|then|but)(?!\p{L})/u;
const LEAD_IN =
  /^(?:(?:please|now|also|just|finally|first|next|so|ok|okay|hey|hi) )*(?:(?:can|could|would|will) you |(?:i|we) (?:want|need|would like)(?: you)? to |i['’]d like(?: you)? to |help me |let['’]?s )?(?:(?:please|now|also|just) )?/;
const PARTICLES = /^(?:up|out|away|off|from|of)?$/;
const TOWARDS = /(?:^| )(?:to|in|into|on|across)$/;
const DONE = /^\s*(?:$|[,)]|(?:and|then|please|now|too|there|here)(?!\p{L}))/u;
const NARROWED =
  /^\s*(?:\(|(?:for|of|from|named|called|titled|starting|beginning|ending|about|containing|having|matching|like|that|which|whose|older|newer|larger|smaller|bigger|before|after|since|under|over|between|except|but|with(?=\s.*\s(?:in|as|for|inside)(?!\p{L})))(?!\p{L}))/u;
const TAKEN_BACK =
  /(?<!\p{L})(?:not|\p{L}+n['’]t|dont|never|no|nor|neither|without|instead|avoid|except|unless|if|only|whether|rather|stop|refuse)(?!\p{L})/u;

const DESTROYS: ReadonlySet<string> = new Set(
  "delete remove erase trash purge wipe discard destroy drop clear cancel".split(" "),
);
/** Verbs for telling somebody something. Others, such as `add` or `pay`, mean only themselves. */
const TELLS: ReadonlySet<string> = new Set(
  "announce ask email forward inform mail message notify post remind reply respond send tell text write".split(
    " ",
  ),
);

/** Takes time linear in the text. */
export function readRequestsForAll(text: string): readonly RequestForAll[] {
  return text
    .normalize("NFC")
    .toLowerCase()
    .split(SENTENCE_END)
    .flatMap((sentence) => requestsIn(sentence.replaceAll(/\s+/g, " ").trim()));
}

/** A sentence with more is a list, and not asked for. */
const MOST_IN_SENTENCE = 20;

function requestsIn(sentence: string): readonly RequestForAll[] {
  const found = [...sentence.matchAll(ALL)].slice(0, MOST_IN_SENTENCE);
  return found.flatMap(({ 0: all, 1: kind = "", index }) => {
    const before = sentence.slice(0, index);
    if (TAKEN_BACK.test(before)) return [];
    const clause = (before.split(CLAUSE_END).at(-1) ?? "").trim().replace(/^get rid of$/, "delete");
    const [verb = "", ...between] = `${clause} `.replace(LEAD_IN, "").trim().split(" ");
    const way = between.join(" ");
    if (verb === "" || (!PARTICLES.test(way) && !TOWARDS.test(way))) return [];
    const rest = sentence.slice(index + all.length);
    const isDone = DONE.test(rest);
    // "All files for the thesis" are some.
    if (NARROWED.test(rest)) return [];
    return [{ verb, kind, isPlain: PARTICLES.test(way) && isDone && !TAKEN_BACK.test(sentence) }];
  });
}

/** True if the user asked to do exactly this to everything of the argument's kind. */
export function isForAll(
  { verb, kind, isPlain }: RequestForAll,
  { effect, toolPath, argument }: AllOfKind,
): boolean {
  if (!wordsOfName(argument).some((word) => namesMany(kind, word))) return false;
  if (effect === "destructive" && !isPlain) return false;
  const [own = ""] = wordsOfName(toolPath.split(".").at(-1) ?? "");
  if (verb === own) return true;
  return effect === "destructive" ? DESTROYS.has(verb) : TELLS.has(own) && TELLS.has(verb);
}

function namesMany(said: string, word: string): boolean {
  return [word, `${word}s`, `${word}es`, word.replace(/y$/, "ies")].includes(said);
}
