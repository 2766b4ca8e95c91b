import { readMoney } from "./said-money.ts";
import { baseOf, verbOf } from "../../inference/verbs.ts";
import { isKindWord } from "../kinds/kind.ts";
import deedWords from "./deed-words.json" with { type: "json" };
import clauseWords from "./clause-words.json" with { type: "json" };

/**
 * What the user does with a part of a sentence. `request`: asks for something. `statement`: says what a value is, or
 * gives an answer. `fact`: asks whether something is so, or tells what happened. `report`: talks of what others want, of
 * plans and doubts; whatever is not recognised is that, too. `refusal`: does not want it. `content`: what is to be passed
 * on, or when and why.
 */
export type Stance = "request" | "statement" | "fact" | "report" | "refusal" | "content";

/** What a part of a sentence says by itself. */
export interface Mark {
  readonly stance: Stance;
  /** The verb of a request. */
  readonly head?: string;
  /** True of a request that is one in a question, too: "could you …", "please …". */
  readonly isPolite?: boolean;
  /** Where the part begins, and ends, that is refused in a request: "send the list, *not the invoice*". */
  readonly refused?: readonly [number, number];
}

const NO_LETTER_BEFORE = String.raw`(?<![\p{L}\p{N}'’])`;
const NO_LETTER_AFTER = String.raw`(?![\p{L}\p{N}])`;
const anyOf = (words: readonly string[]): string => `(?:${words.join("|")})`;
const word = (words: readonly string[], flags = "u"): RegExp =>
  new RegExp(`${NO_LETTER_BEFORE}${anyOf(words)}${NO_LETTER_AFTER}`, flags);

const NEUTRAL = word(clauseWords.neutral, "gu");
const NEGATOR = word(clauseWords.negators);
const OF_ONE_THING = new RegExp(`^${anyOf(clauseWords.ofOneThing)}$`, "u");
/** Says that nothing is to be done, wherever it stands. */
const OF_ALL = /^(?:never|cannot|nor|neither|none|nothing|nobody|nowhere|no)$/;
/** Says of its subject that it is to be kept: "the file is still needed". */
const OF_WHAT_IS_BEFORE = /^(?:still|stays?|must|should|shall|has|have|needs?)\s/;
const DETERMINER = /(?<=\s)(?:the|this|that|these|those|my|our|your|his|her|their)(?=\s)/u;
const BEFORE_ONE_THING = /(?:^|\s)(?:with|having)\s+$/;
const PREPOSITION = /\s(?:at|in|into|to|on|for|by|with|from|until|before|after|under)(?![\p{L}\p{N}])/u;
const LEAD_IN = new RegExp(
  `^(?:${anyOf(clauseWords.leadIn)}${NO_LETTER_AFTER}[\\s,]*|[-*•]\\s+|\\d+[.)]\\s+)+`,
  "u",
);
const ASKING = new RegExp(`^${anyOf(clauseWords.asking)}${NO_LETTER_AFTER}\\s*`, "u");
const POLITE = word(["please", "kindly"]);
const QUESTION = new RegExp(clauseWords.question, "u");
const DELIBERATION = new RegExp(clauseWords.deliberation, "u");
const POSSESSION = new RegExp(clauseWords.possession, "u");
const PLAN = new RegExp(clauseWords.plan, "u");
const REPORT = new RegExp(
  `\\S\\s+${anyOf(clauseWords.reporting)} (?:\\S+ ){0,3}?(?:${clauseWords.reported})${NO_LETTER_AFTER}`,
  "u",
);
const KEEPING: ReadonlySet<string> = new Set(clauseWords.keeping);
const KEEPS_NOTHING = new RegExp(clauseWords.keepsNothing, "u");
const VERBS: ReadonlySet<string> = new Set(clauseWords.verbs);
/** Of these, the ones that just as well begin a name of something: "cover letter", "round 3". */
const ALSO_NOUNS: ReadonlySet<string> = new Set(clauseWords.alsoNouns);
const TELLING: ReadonlySet<string> = new Set(clauseWords.telling);
const FINITE =
  /(?<!\p{L})(?:is|are|was|were|has|had|must|should|will|would|can|could|may(?! \d)|might|does|did|looks|seems|needs)(?!\p{L})/u;
const SUBORDINATE = new RegExp(`^${anyOf(clauseWords.subordinate)}${NO_LETTER_AFTER}`, "u");
const FACT = word(clauseWords.fact);
const DOUBTFUL = new RegExp(clauseWords.doubtful, "u");
const ATTRIBUTING = word([...clauseWords.attributing, ...clauseWords.reporting, "according to"]);
const ATTRIBUTION = new RegExp(
  `^(?:(?:[\\p{L}'’]+\\s+){0,4}${anyOf(clauseWords.attributing)}|${anyOf(clauseWords.attributing)}\\s[^,]{1,60})\\W*$`,
  "u",
);
const TO_WORD = /(?<!\p{L})to\s+(\p{L}+)(?!\p{L})/gu;
const DEFINED: ReadonlySet<string> = new Set(clauseWords.defined);
const DEFINITION = new RegExp(
  String.raw`^(?:(?:also|so|then|and)\s+)*(?:[\p{L}'’-]+\s+){0,4}?([\p{L}-]+)\s+(?:is|are|=|(?:should|must|shall)\s+(?:be|say|read))\s+(?=\S*[\d@·.])\S+(?:\s+(?=\S*[\d·])\S+){0,8}\W*$`,
  "u",
);
const PLACE = new RegExp(`^${anyOf(clauseWords.openers.places)}${NO_LETTER_AFTER}`, "u");
const OPENER = new RegExp(
  `^${anyOf([...clauseWords.openers.places, ...clauseWords.openers.others])}${NO_LETTER_AFTER}`,
  "u",
);
/** "I would like the reminder to be on May 14." */
const WANTED_SO =
  /^(?:i|we)(?:['’]d| would)? (?:like|want|need|prefer) (?:the|my|our) (?:\p{L}+ ){1,3}to (?:be|say|read|start|begin|end|last|have) (?!(?:un|dis)?\p{L}+ed(?!\p{L}))/u;
/** "It should be called 'Plan B'." */
const NAMING =
  /^(?:it|they|this) (?:should|must|shall|is to|are to) be (?:called|named|titled|labell?ed)(?!\p{L})/u;
/** What the user has heard of is named, and nobody's wish: "I've heard really good things about the Aurora". */
const HEARD_OF =
  /^(?:i|we)(?:['’]ve| have)? (?:(?:only|just|already|often|also) )?heard (?:(?!that |to |from )\p{L}+ ){0,4}(?:of|about) (?!\p{L}+ing )/u;
/** The same of somebody else: "my friend Nils raves about the Aurora". */
const RAVED =
  /^(?:(?:my|our|a) )?(?:(?!that(?!\p{L}))[\p{L}'’-]+ ){1,4}?(?:raves? about|raved about|swears by|loves|loved|liked|enjoyed) (?!(?:that|to|it|when|if|how|doing|being)(?!\p{L})|\p{L}+ing )/u;
/** What the user needs is no wish by itself, but what "it" means in the next request: "We need five more, order them". */
const NEEDED =
  /^(?:i|we)(?:(?:['’]d| would)?(?: also| really| still)? (?:need|want|like|require)|(?:['’]m|['’]re| am| are) looking for)(?: to have)? (?!to(?!\p{L})|(?:you|him|her|them|it|that|this|these|those|nothing|no)(?!\p{L}))/u;
/** "My new address is 12 Wharf Road." */
const OWN_FACT =
  /^(?:my|our) (?:(?:new|current|full|home|work|private|postal|billing) ){0,2}(?:address|street|name|surname|(?:phone |mobile |telephone )?number|e-?mail(?: address)?|iban) is (?!(?:not|the|a|an|in|on|at|for|so|too|still|now|being|wrong|right)(?!\p{L}))\S/u;
/** "Leave a comment", and not "leave the file". */
const LEAVING =
  /^leave (?:[^\s,]+ )?(?:an?|another|some|this|the following) (?:[^\s,]+ ){0,3}?(?:comments?|notes?|messages?|reviews?|reply|ratings?|feedback|remarks?|tips?|voicemails?)(?!\p{L})/u;
/** What somebody may do with what they are given: "share it with Bob, he may edit it". */
const RIGHT =
  /^(?:so (?:that )?)?(?:he|she|they) (?:may|can|should be able to|(?:is|are) allowed to) (?:also |only |both )?(?:(?:read|see|view|comment on) (?:it |them )?and )?(?:read|see|view|comment on|edit|change|write|use)(?: to)?(?: it| them)?\W*$/u;
const DOING = /^(?:do|does|can|could|would|will|should|shall|may|might|must|to|ever)$/;
const BEFORE_NOUN =
  /^(?:the|an?|my|our|your|his|her|its|their|this|that|these|those|any|some|no|all|each|every|last|next|new|old|of|in|on|for|with|from|by)$/;
const MOST_BEFORE_DEED = 5;
const MOST_IN_ADDRESS = 2;
const NEEDS_OBJECT = /\p{L}\p{L}|\d/u;
const MARKER = /^(?:and|or|nor|but|then|because|since|although|though|while|whereas|so)(?!\p{L})[\s,]*/u;
/** Of what it says that it is now wanted so: "only git --version", "the other one instead". */
const ONLY = /^(?:only|just|rather)\s+\S/;

/**
 * What a part of a sentence says by itself; undefined if it only goes on. Takes lower case, without quotations.
 * `position`: where in its sentence it stands.
 */
export function markOf(fragment: string, position: "first" | "later" = "first"): Mark | undefined {
  if (!/\p{L}/u.test(fragment)) return undefined;
  const plain = fragment.replaceAll(NEUTRAL, (idiom) => " ".repeat(idiom.length));
  const negator = NEGATOR.exec(plain);
  const request = requestIn(fragment);
  if (negator !== null) {
    const [found] = negator;
    const before = plain.slice(0, negator.index);
    const isOneThing = OF_ONE_THING.test(found) && (found !== "no" || BEFORE_ONE_THING.test(before));
    const isOfAll = OF_ALL.test(found) && !isOneThing;
    const object = request === undefined ? "" : before.slice(request.end);
    if (request === undefined || isOfAll || !NEEDS_OBJECT.test(object)) return { stance: "refusal" };
    if (OF_WHAT_IS_BEFORE.test(found)) {
      const subject = DETERMINER.exec(object)?.index;
      const from = request.end + (subject ?? 0);
      return { ...request.mark, refused: [from, plain.length] };
    }
    return { ...request.mark, refused: refusedPart(plain, negator.index, found) };
  }
  if (request !== undefined) return request.mark;
  const said = fragment.replace(MARKER, "").trim();
  const bare = said.replace(LEAD_IN, "");
  if (KEEPING.has(firstWord(bare)) && !KEEPS_NOTHING.test(bare)) return { stance: "refusal" };
  if (position === "later" && SUBORDINATE.test(said)) return { stance: "content" };
  if (DELIBERATION.test(said) && !POSSESSION.test(said)) return { stance: "report" };
  if (QUESTION.test(said)) return { stance: asksOfDeed(said) ? "report" : "fact" };
  if (SUBORDINATE.test(said)) return { stance: "content" };
  if ((HEARD_OF.test(said) || RAVED.test(said)) && !DOUBTFUL.test(said)) return { stance: "fact" };
  if (position === "later" && RIGHT.test(said)) return { stance: "statement" };
  if (REPORT.test(` ${said}`)) return { stance: "report" };
  if (NEEDED.test(said) && !isDoubtful(said)) return { stance: "fact" };
  if (PLAN.test(said)) return { stance: "report" };
  if (isDefinition(said) || WANTED_SO.test(said) || NAMING.test(said) || OWN_FACT.test(said))
    return { stance: "statement" };

  if (ONLY.test(said) && !FINITE.test(said)) return { stance: "request" };
  if (FACT.test(said)) return { stance: isDoubtful(said) ? "report" : "fact" };
  return FINITE.test(said) || /^(?:i|we|he|she|they|you)(?!\p{L})/u.test(said)
    ? { stance: "report" }
    : undefined;
}

/** "The recipient is DE89…", and not "my last hope is DE89…". */
function isDefinition(said: string): boolean {
  const [, noun = ""] = DEFINITION.exec(said) ?? [];
  return noun !== "" && isDefinedNoun(noun);
}

/** True of a word by which people tell what a value is: "recipient: …". */
export function isDefinedNoun(noun: string): boolean {
  return DEFINED.has(noun) || isKindWord(noun);
}

/** True if it speaks of more than what is or was so: of what somebody wants, might do or was told. */
function isDoubtful(said: string): boolean {
  if (DOUBTFUL.test(said) || ATTRIBUTING.test(said)) return true;
  return [...said.matchAll(TO_WORD)].some(([, found = ""]) => isVerb(found));
}

const ASKING_AUXILIARY = /^(?:do|does|did|will|would|could|can|may|might|should|has|have|had)$/;
const ASKING_MODAL = /^(?:can|could|will|would|should|shall|may|might|must)$/;
/** With them a question is a request: "could you read …?", "can we see …?" */
const SPEAKING = /^(?:you|u|i|we|us|me)$/;

/**
 * True of what somebody else does in a question: "will anybody ever get …?", "how often does Ann read …?". Not if a thing
 * is asked what it does, "does www.x.example list prices?".
 */
function isOthersDeed(said: string, words: readonly string[], at: number): boolean {
  const from = words.findLastIndex((one, place) => place < at && ASKING_AUXILIARY.test(one));
  if (from < 0) return false;
  const between = words.slice(from + 1, at);
  if (between.length === 0 || between.length > MOST_BEFORE_DEED) return false;
  if (between.some((one) => SPEAKING.test(one))) return false;
  return said.includes(between.join(" "));
}

const DOER = new RegExp(`^(?:${clauseWords.doer})$`, "u");
const DOER_DOES = new RegExp(`^(?:${clauseWords.doer}) (?:${clauseWords.doerDoes})(?!\\p{L})`, "u");

/**
 * True if it is asked who does something with a page, and nothing about the page: "who could get …?", "which of us has
 * read …?". Who made it, "who wrote …?", is asked about the page.
 */
function asksForDoer(said: string, words: readonly string[], at: number): boolean {
  const before = words.slice(0, at);
  return (
    ASKING_MODAL.test(before.at(-1) ?? "") &&
    DOER.test(before.slice(0, -1).join(" ")) &&
    said.startsWith(before.join(" "))
  );
}

/**
 * Behind these stands a verb, also one that no list has: "how does one web …?", "a way to web …"; not "how do people like
 * …?", which asks about the thing.
 */
const OF_DOING =
  /^(?:(?:so|and|but|ok|hey|hi) )*how (?:do|does|did|can|could|would|should|might) (?:one|i|you|u|we|they|he|she|people|somebody|someone|anyone|anybody|everyone|everybody|users?) (?!like|find|rate|feel|know|describe|review)\p{L}|(?<!\p{L})(?:how|ways?|needed|necessary|required|possible|able|allowed|supposed|easy|hard|difficult) to (?!the |a |an |my |our |your |this |that )\p{L}/u;

const MADE_OR_IS = /^(?:be|have|has|not|also|else|make|write|publish|run|own)$/;

/** True of a question about doing something, and not of what is or was so: "how does one pay …", "what is needed to …". */
function asksOfDeed(said: string): boolean {
  if (DOER_DOES.test(said) || OF_DOING.test(said)) return true;
  const words = said.match(/[\p{L}'’]+/gu) ?? [];
  return words.some((found, at) => {
    const kind = verbOf(found)?.kind;
    // "Whose idea was it to fetch …?", and not "what is there to see on …?"
    const isDeed = isVerb(found) && !/^(?:on|at|about|from|in|of|$)/.test(words[at + 1] ?? "");
    if (words[at - 1] === "to" && isDeed) return true;
    // Behind "who could" stands a verb, also one that no list has: "who could web …?", but not "who could have made …?"
    if (!MADE_OR_IS.test(found) && asksForDoer(said, words, at)) return true;
    if (isDeed && isOthersDeed(said, words, at)) return true;
    if (kind !== "write" && kind !== "egress" && kind !== "destructive") return false;
    const isThing = verbOf(found)?.isAlsoNoun === true && BEFORE_NOUN.test(words[at - 1] ?? "");
    return !isThing && words.slice(Math.max(0, at - MOST_BEFORE_DEED), at).some((one) => DOING.test(one));
  });
}

/** True unless it speaks of what others say or might do, or of something about a thing. */
export function mayAnswer(said: string): boolean {
  return (
    !DOUBTFUL.test(said) && !ATTRIBUTING.test(said) && !/(?<!\p{L})(?:about|against|by)(?!\p{L})/u.test(said)
  );
}

/** True of what names the source of the rest of its sentence: "…, said the note". */
export function isAttribution(said: string): boolean {
  return ATTRIBUTION.test(said);
}

/** True of the first part of a sentence, after which a request may come: "for the meeting, …", "Bob, …". */
export function isOpener(said: string): boolean {
  if (ATTRIBUTING.test(said) || DOUBTFUL.test(said)) return false;
  return OPENER.test(said) || SUBORDINATE.test(said) || (said.match(/\S+/g) ?? []).length <= MOST_IN_ADDRESS;
}

/** True of an opener that says where or for whom: it belongs to the request. */
export function isPlace(said: string): boolean {
  return PLACE.test(said);
}

/** What stands behind the word that refuses; empty where none does. */
export function refusedPartOf(fragment: string): string {
  const plain = fragment.replaceAll(NEUTRAL, (idiom) => " ".repeat(idiom.length));
  const negator = NEGATOR.exec(plain);
  return negator === null ? "" : plain.slice(negator.index);
}

/** True of a verb that passes on what comes after it: the deeds in that are not asked for. */
export function isTelling(head: string | undefined): boolean {
  return head !== undefined && TELLING.has(head);
}

/** True of a word that can begin a request. */
export function isVerb(found: string): boolean {
  const isKnown = (one: string): boolean =>
    verbOf(one) !== undefined || VERBS.has(one) || deedWords.destroying.includes(one);
  // "Reprint" is a verb as "print" is.
  const [, again] = AGAIN.exec(found) ?? [];
  return isKnown(found) || (again !== undefined && isKnown(again));
}

const AGAIN = /^re-?(\p{L}{3,})$/u;

function requestIn(fragment: string): { readonly mark: Mark; readonly end: number } | undefined {
  const skip = (at: number): number => at + (LEAD_IN.exec(fragment.slice(at))?.[0].length ?? 0);
  const start = skip(fragment.length - fragment.trimStart().length);
  const asking = ASKING.exec(fragment.slice(start))?.[0];
  const at = skip(start + (asking?.length ?? 0));
  const rest = fragment.slice(at);
  const phrase = clauseWords.phrases.find(([said = ""]) => rest.startsWith(said));
  const found = phrase?.[0] ?? firstWord(rest);
  const head = phrase?.[1] ?? baseOf(found);
  const isPolite = asking !== undefined || POLITE.test(fragment);
  if (found === "" || (asking === undefined && phrase === undefined && !isImperative(found, rest)))
    return undefined;
  return { mark: { stance: "request", head, isPolite }, end: at + found.length };
}

/** "Order the lamp", and not "order #4 is late". */
function isImperative(first: string, rest: string): boolean {
  if (LEAVING.test(rest)) return true;
  if (!isVerb(first) || KEEPING.has(first)) return false;
  // "… or file 3" is a thing.
  const isThing = isKindWord(first) || ALSO_NOUNS.has(first);
  // "Transfer 20 euros" is none, "transfer 20" is.
  const isSum = readMoney(/^\p{L}+\s+(\S+(?:\s+\S+)?)/u.exec(rest)?.[1] ?? "").length > 0;
  if (isThing && !isSum && /^\p{L}+\s+#?\d/u.test(rest)) return false;
  if (/^(?:do|have) (?:i|we|they|he|she|you|there|any)(?!\p{L})/u.test(rest)) return false;
  // "With read and write permissions."
  if (
    /^(?:read|write|edit|view|comment|manage)\s+(?:permissions?|access|rights?|privileges?)(?!\p{L})/u.test(
      rest,
    )
  )
    return false;
  // "Rent is 500."
  if (/^\p{L}+\s+(?:is|are|was|were|has|had|will|would)(?!\p{L})/u.test(rest)) return false;
  if (verbOf(first)?.isAlsoNoun !== true && !isThing) return true;
  // "Mail from Bob", "order of events", "post by Ann"; "mail Bob that it is late" tells him so.
  const own = isTelling(first) ? (PASSED_ON.exec(rest)?.[0] ?? rest) : rest;
  return !FINITE.test(own) && !/^\p{L}+\s+(?:from|of|about|by|keeps?|came|comes)(?!\p{L})/u.test(rest);
}

/** What comes before something that is to be told to somebody, who is named by one word, or by several with "and". */
const PASSED_ON =
  /^\p{L}+\s+(?!that(?!\p{L}))[^\s,]+(?:(?:,\s*|\s+and\s+)[^\s,]+){0,4}(?=\s+(?:that|saying)\s)/u;

/** Where what is told to somebody begins: "Tell Ann / that row 3 is empty". Undefined where nothing is. */
export function toldFrom(fragment: string): number | undefined {
  const request = requestIn(fragment);
  if (request === undefined || !isTelling(request.mark.head)) return undefined;
  const start = request.end - firstWordBefore(fragment, request.end).length;
  const length = PASSED_ON.exec(fragment.slice(start))?.[0].length;
  return length === undefined ? undefined : start + length + 1;
}

function firstWordBefore(fragment: string, end: number): string {
  return /\p{L}+$/u.exec(fragment.slice(0, end))?.[0] ?? "";
}

function refusedPart(fragment: string, at: number, negator: string): readonly [number, number] {
  const after = at + negator.length;
  const rest = fragment.slice(after);
  if (!/^(?:without|no)$/.test(negator) || /^\s+\p{L}+ing(?!\p{L})/u.test(rest)) return [at, fragment.length];
  const end = PREPOSITION.exec(rest)?.index;
  return [at, end === undefined ? fragment.length : after + end];
}

function firstWord(text: string): string {
  // "plan.txt" is no plan.
  return /^\p{L}+(?![\p{L}\p{N}@_/-]|\.\S)/u.exec(text.trimStart())?.[0] ?? "";
}
