import {
  type ArgumentPlace,
  isIdName,
  isPerhapsSameKind,
  isPerson,
  isSameKind,
  kindOfArgument,
  singularOf,
  wordsForKind,
} from "./kinds/kind.ts";
import { kindOfLeaf, namesOfRow } from "./kinds/rows.ts";
import { isCodeOfOther, isNameOfOther } from "./kinds/other-kinds.ts";
import { momentNeeds } from "./read-date.ts";
import { actionWords } from "../inference/name-effect.ts";
import { isContentName, isOwnName } from "./content-names.ts";
import type { TextIndex } from "./text-index.ts";
import type { TrustedValues } from "./trusted-values.ts";
import { isPlainWord, plainForm } from "./value-forms.ts";
import { isCount, type Sense, senseOf } from "./value-in-place.ts";
import { findValue, readValue, type ValueReading } from "./value-reading.ts";
import { isCommandName, isCurrencyName, isRequestName } from "./who-is-reached.ts";
import { wordsOfName } from "./words-of-name.ts";
import { deedsOf, verbsAlike } from "./words/deeds.ts";
import { isTelling, isVerb } from "./words/clause-marks.ts";
import { isMomentName } from "./words/idle-requests.ts";
import type { OwnWords } from "./words/own-words.ts";
import type { UserWords } from "./words/user-words.ts";

/** Whether the user said a value themselves. */
export interface SaidValues {
  /** Anywhere, whatever was meant by it. */
  isMentioned(reading: ValueReading): boolean;
  /**
   * In a sense that fits the place: an id only together with what it is an id of; a plain word only where it is used as
   * a name; a number only where it says how much of this. `heard`: what counts there.
   */
  isSaid(
    value: string | number,
    reading: ValueReading,
    place: ArgumentPlace | undefined,
    sense: Sense,
    heard: readonly UserWords[],
  ): boolean;
}

/** `program`: programs that the user wrote. What is added to the three later counts, too. */
export function createSaidValues({
  own,
  program,
  trusted,
}: {
  readonly own: Pick<OwnWords, "all">;
  readonly program: TextIndex;
  readonly trusted: Pick<TrustedValues, "find">;
}): SaidValues {
  const isMentioned: SaidValues["isMentioned"] = (reading) =>
    own.all().mentions(reading) || findValue(program, reading) !== undefined;

  const isSaid: SaidValues["isSaid"] = (value, reading, place, sense, heard) => {
    if (findValue(program, reading) !== undefined) return true;
    const text = String(value).trim();
    if (place !== undefined && sense === "bare id") return namesByKind(text, place, heard);
    if (place === undefined || place.use === "content") return isMentioned(reading);
    if (isCurrencyName(place.name) && heard.some(({ numbers }) => numbers.hasCurrency(text))) return true;
    if (reading.parts.length > 1 && !heard.some((words) => words.statesWhole(reading)))
      return reading.parts.every((part) =>
        isSaid(part.text, readValue(part.text), place, senseOf(part.text, place), heard),
      );
    if (place.use === "look")
      return heard.some((words) => words.asksAbout(reading) && !words.takesBack(text));
    // A day that is asked about is spoken of: "Am I free at noon on May 19? If so, plan lunch."
    const isMoment = momentNeeds(text.toLowerCase()).length > 0;
    const isWhen = isMoment && isMomentName(place.name) && !isToSomebody(place);
    const isStated = (words: UserWords): boolean =>
      words.states(reading) || (isWhen && words.speaksOf(reading));
    // "One guest": as a word it is in most sentences, so it is looked up with what it counts.
    const isOne = isCount(value, place) && Number(value) === 1;
    if (!isOne && !heard.some((words) => isStated(words) && !words.takesBack(text))) return false;
    // No file is called "May 19", or by a request, unless the user says so.
    const isText = isContentName(place.name) || isCommandName(place.name) || isRequestName(place.name);
    const isDayOfNothing = isMoment && !isWhen && isOwnName(place.name);
    if (isDayOfNothing && !heard.some((words) => words.calls(text))) return false;
    const isNoName = (isMoment && !isWhen) || isSentence(text);
    if (isNoName && !isText && !heard.some((words) => words.calls(text))) return false;
    if (isCount(value, place)) return heard.some(({ numbers }) => numbers.has(Number(value), place.name));
    if (!isMoment && isCode(text) && isOfOtherKind(text, place, heard)) return false;
    if (!isMoment && isKnownAsOther(text, place, heard)) return false;
    if (isNameOfOther(value, place, trusted.find(value)?.leaves ?? []) && !isNamedHere(text, place, heard))
      return false;
    if (isIdName(place.name) && isWords(text) && !isNamedWithKind(text, place, heard)) return false;
    if (sense !== "plain" || !isPlainWord(text)) return true;
    return (
      heard.some((words) => words.calls(text) || words.marks(text, place, [])) ||
      namesByKind(text, place, heard)
    );
  };

  /** True of a code that the user said as one of something else, where no source knows it as one of this. */
  const isOfOtherKind = (text: string, place: ArgumentPlace, heard: readonly UserWords[]): boolean => {
    const kind = kindOfArgument(place);
    // Whoever gets money has an account, and "the payee: DE89…" is one.
    const isSomebody = kind.heads.some((head) => isPerson(head) || head === "to");
    const isAccount = kind.heads.some((head) => ACCOUNTS.includes(head)) && ACCOUNT.test(text);
    const accounts = isSomebody ? ACCOUNTS : isAccount ? wordsForKind({ heads: ["payee"] }) : [];
    const words = [...wordsForKind(kind), ...wordsOfName(place.name).map(singularOf), ...accounts];
    const known = (trusted.find(text)?.leaves ?? []).some((leaf) => isSameKind(kindOfLeaf(leaf), kind));
    return !known && heard.some(({ kinds }) => kinds.isOfOther(words, text));
  };

  /** The same where sources know it as one of something else; unless the call's deed is asked of it. */
  const isKnownAsOther = (text: string, place: ArgumentPlace, heard: readonly UserWords[]): boolean => {
    if (!isCodeOfOther(text, place, trusted.find(text)?.leaves ?? []) || isNamedHere(text, place, heard))
      return false;
    const verbs = deedsOf(place.toolPath);
    const nouns = wordsForKind(kindOfArgument(place));
    return !heard.some(({ kinds }) => kinds.hasVerb(verbs, text) || kinds.has(nouns, text));
  };

  /** A name in place of an id counts beside the word for such a thing: "the project Snow Goose", not "the note". */
  const isNamedWithKind = (text: string, place: ArgumentPlace, heard: readonly UserWords[]): boolean => {
    const named = plainForm(text).match(/[\p{L}\p{N}]+/gu) ?? [];
    const nouns = wordsForKind(kindOfArgument(place));
    return heard.some((words) => nouns.some((noun) => words.hasClause([...named, noun], "wanted")));
  };

  const namesByKind = (text: string, place: ArgumentPlace, all: readonly UserWords[]): boolean => {
    const id = text.startsWith("#") ? text.slice(1) : text;
    if (!all.some((words) => words.kinds.knows(id))) return false;
    const kind = kindOfArgument(place);
    const known = [
      ...(trusted.find(id)?.leaves ?? []),
      ...(/^\d+$/.test(id) ? (trusted.find(Number(id))?.leaves ?? []) : []),
    ].filter(({ name }) => isIdName(name));
    const sameService = known.filter((leaf) => isPerhapsSameKind(kindOfLeaf(leaf), kind));
    const nouns = [kind, ...sameService.map(kindOfLeaf)].flatMap(wordsForKind);
    const names = known
      .filter((leaf) => isSameKind(kindOfLeaf(leaf), kind) || sameService.includes(leaf))
      .flatMap(namesOfRow);
    const isRefused = (words: UserWords): boolean =>
      words.takesBack(id, nouns) || names.some((name) => words.takesBack(name));
    // What was taken back is looked up last: it costs the most, and few ids are said at all.
    if (all.some((words) => words.kinds.has(nouns, id) && !isRefused(words))) return true;
    // Without a noun, it is meant where nothing else has that id.
    const verbs = deedsOf(place.toolPath);
    const isAsked = all.some(
      (words) =>
        (words.kinds.hasVerb(verbs, id) ||
          words.kinds.hasSign(verbs, id) ||
          words.kinds.hasSign(verbsAlike(place.toolPath), id)) &&
        !isRefused(words),
    );
    if (!isAsked) return false;
    return known.every((leaf) => isSameKind(kindOfLeaf(leaf), kind) || sameService.includes(leaf));
  };

  return { isMentioned, isSaid };
}

/** Beside the word for what is asked for, or where something is to be: "at Boots". */
export function isNamedHere(text: string, place: ArgumentPlace, heard: readonly UserWords[]): boolean {
  const plain = plainForm(text);
  // A code is said as one: "in Members 2026" names no member IN-70, and "70 members" none either.
  const words = isCode(plain) ? [plain.replace(/^#/, "")] : (plain.match(/[\p{L}\p{N}]+/gu) ?? []);
  const [first = "", last = ""] = [words[0], words.at(-1)];
  const nouns = wordsForKind(kindOfArgument(place));
  return heard.some(
    (said) => said.isPlaced(first) || said.namesBeside(first, nouns) || said.namesBeside(last, nouns),
  );
}

/** "Revoke the code of the painter." */
function isSentence(text: string): boolean {
  const [head = "", ...rest] = text.split(/\s+/);
  return rest.length > 1 && isVerb(head.toLowerCase());
}

const ACCOUNTS: readonly string[] = ["account", "iban"];
const ACCOUNT = /^[A-Z]{2}\d{2}[A-Z\d]{10,}$/i;

/** "Send it to": whom, and not until when. */
function isToSomebody({ name, toolPath }: ArgumentPlace): boolean {
  return name.toLowerCase() === "to" && isTelling(actionWords(toolPath)[0]);
}

/** Several plain words: a name, where an id is asked for. */
function isWords(text: string): boolean {
  return /^\p{L}[\p{L}'’-]*(?:\s+\p{L}[\p{L}'’-]*)+$/u.test(text);
}

/** Letters with digits, as things are numbered: no address, and no name of a file. */
function isCode(text: string): boolean {
  return /^#?(?=[\p{L}_-]*\p{N})[\p{L}\p{N}_-]+$/u.test(text);
}
