import { actionWords, nameEffect } from "../../inference/name-effect.ts";
import { verbOf } from "../../inference/verbs.ts";
import { remembered } from "../../remembered.ts";
import { type ArgumentPlace, isIdName, isKindWord, isPerson, kindOfArgument } from "../kinds/kind.ts";
import { isRecipientName } from "../who-is-reached.ts";
import { isOwnName } from "../content-names.ts";
import { wordsOfName } from "../words-of-name.ts";
import { isVerb } from "./clause-marks.ts";
import { type Clause, readClauses } from "./clauses.ts";
import clauseWords from "./clause-words.json" with { type: "json" };
import { isGiving } from "../is-giving.ts";
import deedWords from "./deed-words.json" with { type: "json" };
import reachWords from "../reach-words.json" with { type: "json" };
import idleWords from "./idle-words.json" with { type: "json" };

/**
 * What a request asks for that is not every deed's business: only a look; what is to be gone, refused, put away or
 * drafted. `looked-up`: a look, after which something is done with the thing, but not with whoever stands beside it.
 * `meant back`: what was asked or told, and is meant by "it" or "her", which names nothing new.
 */
export type Family =
  | "looking"
  | "looked-up"
  | "destroying"
  | "revoking"
  | "declining"
  | "filing"
  | "drafting"
  | "meant back";

const NO_LETTER = String.raw`(?!\p{L})`;
const POINTS_BACK = new RegExp(String.raw`(?<!\p{L})${clauseWords.back}${NO_LETTER}`, "iu");
const IF_IT = /^\W*(?:and\s+)?(?:if|when|once)\s(?:.*\s)?(?:it|its|they|their)(?!\p{L})/isu;
const POINTS_TO_PERSON = new RegExp(String.raw`(?<!\p{L})${idleWords.persons}${NO_LETTER}`, "iu");
const ACTS_ANYWAY = new RegExp(idleWords.actsAnyway, "iu");
const TO_ME = new RegExp(String.raw`(?<!\p{L})(?:${idleWords.toMe.join("|")})\s+(?:me|us)${NO_LETTER}`, "iu");
const REMINDS_ME = /(?<!\p{L})remind\s+(?:me|us|myself|ourselves)(?!\p{L})/iu;
const ANSWERING: ReadonlySet<string> = new Set(idleWords.answering);
const CHOOSING: ReadonlySet<string> = new Set(reachWords.choosing);
const MAKING: ReadonlySet<string> = new Set([...reachWords.making, "save"]);
const TIMES: ReadonlySet<string> = new Set(idleWords.times);
const CHANGING: ReadonlySet<string> = new Set(idleWords.changing);
const LOOKING: ReadonlySet<string> = new Set(idleWords.looking);
const BY_HEAD: ReadonlyMap<string, Family> = new Map(
  (
    [
      ["drafting", idleWords.drafting],
      ["filing", idleWords.filing],
      ["declining", idleWords.declining.filter((head) => !ANSWERING.has(head))],
      ["revoking", idleWords.revoking],
      ["destroying", deedWords.destroying],
    ] as const
  ).flatMap(([family, heads]) => heads.map((head) => [head, family] as const)),
);

/** How a later request speaks of what was asked before it: "mail her", "delete it". */
export type PointingBack = "person" | "thing";

function pointingBack(head: string, text: string): PointingBack | undefined {
  if (ANSWERING.has(head) || POINTS_TO_PERSON.test(text)) return "person";
  return POINTS_BACK.test(text) ? "thing" : undefined;
}

/** How the first request of a text speaks of what was said before; undefined where it does not. */
export function pointsBefore(text: string, clauses: readonly Clause[]): PointingBack | undefined {
  const first = clauses.find(({ stance }) => stance === "request");
  if (first === undefined) return undefined;
  return pointingBack(first.head ?? "", text.slice(first.start, first.end));
}

let latest: { readonly text: string; readonly clauses: readonly Clause[] } | undefined;

/** `readClauses`; what was read last is kept, since each way of counting asks for it. */
export function readClausesOnce(text: string): readonly Clause[] {
  if (latest?.text !== text) latest = { text, clauses: readClauses(text) };
  return latest.clauses;
}

/** The families of a text's requests. */
export function familiesIn(text: string, clauses: readonly Clause[]): ReadonlySet<Family> {
  const families = new Set<Family>();
  for (const { stance, head = "", start, end, isMeantBack } of clauses) {
    if (isMeantBack === true) families.add("meant back");
    const family = stance === "request" ? familyOf(head, text.slice(start, end)) : undefined;
    if (family !== undefined) families.add(family);
    if (family === "looking") families.add("looked-up");
  }
  return families;
}

/**
 * The clauses as they count for a deed: a request of one of these families only asks about what it names. `later`: how
 * the next message speaks of this one.
 */
export function withoutIdle(
  text: string,
  clauses: readonly Clause[],
  families: ReadonlySet<Family>,
  later: PointingBack | undefined,
): readonly Clause[] {
  if (families.size === 0) return clauses;
  let back = later;
  const read = clauses.toReversed().map((clause, fromEnd) => {
    if (clause.isMeantBack === true && families.has("meant back"))
      return Object.assign({}, clause, { stance: "fact" as const });
    if (clause.stance !== "request") return clause;
    // "If it is good, make a reservation": the condition says of what.
    const before = clauses[clauses.length - 2 - fromEnd];
    const isIf = before?.stance === "content" && IF_IT.test(text.slice(before.start, before.end));
    const said = text.slice(isIf ? before.start : clause.start, clause.end);
    const own = familyOf(clause.head ?? "", text.slice(clause.start, clause.end));
    const isIdle = own !== undefined && isIdleFor(own, back, families);
    // What is only looked at on the way does not come between: "Look up Ann, check the weather and mail her."
    if (own !== "looking") back = pointingBack(clause.head ?? "", said);
    // What was only looked at is asked about; what is to be gone is not.
    const stance = own === "looking" ? ("fact" as const) : ("content" as const);
    return isIdle ? Object.assign({}, clause, { stance }) : clause;
  });
  return read.toReversed();
}

function isIdleFor(family: Family, back: PointingBack | undefined, families: ReadonlySet<Family>): boolean {
  if (back === undefined) return families.has(family);
  return family === "looking" && back === "thing" && families.has("looked-up");
}

function familyOf(head: string, said: string): Family | undefined {
  if (ACTS_ANYWAY.test(said.trim())) return undefined;
  // "Remind Ann" tells her something; "remind me" is a note.
  if (head === "remind" && !REMINDS_ME.test(said)) return undefined;
  const family = BY_HEAD.get(head);
  if (family !== undefined) return family;
  const kind = verbOf(head)?.kind;
  if (LOOKING.has(head) || kind === "read" || kind === "browse") return "looking";
  return idleWords.toMe.includes(head) && TO_ME.test(said) ? "looking" : undefined;
}

const FEWEST_ASKED = 4;

/** True of words that are themselves a request. */
export function isRequestItself(words: readonly string[]): boolean {
  const [head = ""] = words;
  return words.length >= FEWEST_ASKED && (isVerb(head) || idleWords.toMe.includes(head));
}

const LOOKS: ReadonlySet<Family> = new Set(["looking", "looked-up"]);
const NONE: ReadonlySet<Family> = new Set();

/** The families of requests that do not ask for what a call does with an argument; none for what only reads. */
export function idleFor(place: ArgumentPlace): ReadonlySet<Family> {
  const known = idleOfPlaces.get(place) ?? readIdleFor(place);
  idleOfPlaces.set(place, known);
  return known;
}

const idleOfPlaces = new WeakMap<ArgumentPlace, ReadonlySet<Family>>();

function readIdleFor(place: ArgumentPlace): ReadonlySet<Family> {
  const { effect, toolPath, name } = place;
  if (effect === undefined || effect === "read" || place.use !== undefined) return NONE;
  const isReached = isRecipientName(name) || kindOfArgument(place).heads.some(isPerson);
  // Which thing is blocked may be set, and that it is; not what it is to have.
  const isThing =
    place.isOnly !== true && (isIdName(name) || wordsOfName(name).some((word) => CHOOSING.has(word)));
  const idle = readIdle(
    [
      effect,
      toolPath,
      isGiving(place) ? "gives" : "",
      isReached ? "reached" : "",
      isThing ? "" : "value",
      isOwnName(name) ? "named" : "",
      (place.deeds ?? []).join(" "),
    ].join("\n"),
  );
  // When something is done may be asked about, too.
  const isTime = wordsOfName(name).some((word) => TIMES.has(word));
  return isTime ? new Set([...idle].filter((family) => !LOOKS.has(family))) : idle;
}

const MOMENTS: ReadonlySet<string> = new Set([...idleWords.times, ...idleWords.moments]);

/** True of an argument that asks for a day or a time. */
export function isMomentName(name: string): boolean {
  const words = wordsOfName(name);
  // `check_in` is `checkin`.
  return words.some((word, at) => MOMENTS.has(word) || MOMENTS.has(`${words[at - 1] ?? ""}${word}`));
}

/** `share_file` files nothing, and `update_lock` locks nothing. */
function isObject(word: string, first: string): boolean {
  return isKindWord(word) || (verbOf(first) !== undefined && verbOf(word)?.isAlsoNoun !== false);
}

const readIdle = remembered((key: string): ReadonlySet<Family> => {
  const [effect, toolPath = "", gives, reached, value, named, deeds = ""] = key.split("\n");
  const kind = nameEffect(toolPath).kind;
  if (kind === "read" || kind === "browse") return NONE;
  // What a value chooses is the call's deed: `decide({ decision: "deny" })` denies.
  const words = [
    ...actionWords(toolPath).filter((word, at, [first = ""]) => at === 0 || !isObject(word, first)),
    ...deeds.split(" "),
  ];
  const isChanging = words.some((word) => CHANGING.has(word));
  const isOutward = effect === "egress" && (!isChanging || value !== "");
  const isSame = (family: Exclude<Family, "looking" | "looked-up" | "meant back">): boolean =>
    (family === "destroying" ? deedWords.destroying : idleWords[family]).some((verb) => words.includes(verb));
  const families: Family[] = ["looking"];
  if (reached !== "") families.push("looked-up");
  if (gives !== "") families.push("destroying");
  if (gives !== "" || isOutward) families.push("revoking", "declining");
  // Who wants something renamed wants its new name: `update({ new_name })`.
  if ((gives !== "" && !(isChanging && effect === "write")) || isOutward) families.push("filing");
  if (effect === "egress") families.push("drafting");
  if (named !== "" && MAKING.has(words[0] ?? "")) families.push("meant back");
  return new Set(
    families.filter(
      (family) =>
        family === "looking" || family === "looked-up" || family === "meant back" || !isSame(family),
    ),
  );
});
