import { rememberedFor } from "../remembered.ts";
import { isDistinctive, isIdLike, isPerson, singularOf, wordsForKind } from "./kinds/kind.ts";
import {
  dayOf,
  isAddress,
  isOfOwnPerson,
  isOfPerson,
  isOwnId,
  otherPersons,
  kindOfRow,
  type RowLeaf,
  type Rows,
  withoutExtension,
  wordsIn,
} from "./kinds/rows.ts";
import { momentNeeds } from "./read-date.ts";
import { readNumeral } from "./read-number.ts";
import type { ResultField } from "./result-leaves.ts";
import { isFunctionWord, isPlainWord, plainForm } from "./value-forms.ts";
import { wordsOfName } from "./words-of-name.ts";

/** How well the user's words tell which one is meant: by its whole name or id, or by something else about it. */
export type Naming = "whole" | "part";

/** Which words of the user's picked a record out, and how well. */
export interface Picked {
  readonly naming: Naming;
  readonly clue: string;
}

/** What the user said. */
export interface Said {
  /** A whole value, or a phrase, in whatever sense. */
  says(value: string | number): boolean;
  /** A value that is marked as a name. */
  callsIt(name: string): boolean;
  /** A single word that is used as a name; `nouns`: what things of that name are called. */
  marks(word: string, nouns: readonly string[]): boolean;
  /** A single word beside one of these nouns: "my dentist appointment". */
  namesBeside(word: string, nouns: readonly string[]): boolean;
  /** A number that is said of one of these: "invoice 2024-031". */
  numbers(id: string, nouns: readonly string[]): boolean;
  /** Whether anything of this kind is said by its id: "event 13". */
  numbersAny(nouns: readonly string[]): boolean;
  /** A moment whose time was said only with other days. */
  isOfOtherDay(moment: string): boolean;
  /** A sum of money that is to be given back. */
  returnsSum(value: number): boolean;
  /** A thing of the kind that is asked for by what somebody did there: "the channel where Alice asked". */
  readonly describesIt: boolean;
  /** A word within a sentence, not only at its beginning as a verb is: "Rent a car". */
  standsWithin(word: string): boolean;
  /** A sum of money. */
  saysSum(value: number): boolean;
}

/** A field this long is a text. Users do not name a thing by repeating a whole text. */
const LONGEST_NAME = 120;
const SHORTEST_WORD = 4;
const SHORTEST_NAME = 3;
const PERSON_NOUNS = wordsForKind({ heads: ["person"] });
const IDENTIFIER = /^(?=.*[\p{N}@/_]|.*\S\.\S)\S+$/u;
/** A number in parts, which nobody says by chance: `2024-031`. */
const CODE = /^\d{2,}(?:[-/.]\d{2,})+$/;
const NAME_FIELDS: ReadonlySet<string> = new Set(
  "name title subject label path filename login username user email address iban".split(" "),
);

const OWN_NAMES: ReadonlySet<string> = new Set("name title subject label path filename".split(" "));
const PERSON_FIELDS: ReadonlySet<string> = new Set("name first last nickname login username user".split(" "));

/**
 * How the user's words pick out the record of one of these values: by its name or another of its fields, never by
 * an id or a bare number, and only if they fit no other record of its kind.
 */
export function pickedBy(leaves: readonly RowLeaf[], said: Said, rows: Rows): Picked | undefined {
  let best: Picked | undefined;
  for (const one of leaves) {
    const leaf = withFacts(one);
    for (const field of one.record?.fields ?? [one]) {
      const picked = byField(leaf, field, said, rows);
      if (picked?.naming === "whole") return picked;
      best ??= picked;
    }
    if (leaf.isVouched) best ??= byWord(leaf, one, said, rows);
  }
  return best;
}

/** The same by whose it is, or by what such a thing itself is called; not by what else its record tells. */
export function pickedByOwner(leaves: readonly RowLeaf[], said: Said, rows: Rows): Picked | undefined {
  const owned = leaves.flatMap((leaf) => {
    const fields = leaf.record?.fields.filter(isOwner) ?? [];
    return leaf.record === undefined || fields.length === 0
      ? []
      : [{ ...leaf, record: { ...leaf.record, fields } }];
  });
  return pickedBy(owned, said, rows);
}

/**
 * Text from others can name only the record that it stands in, by that record's own id, and only as a whole: as an
 * identifier or a phrase, or if the user marks it as a name. So whoever writes what the user is going to say is
 * chosen only themselves.
 */
function byField(leaf: KnownLeaf, field: ResultField, said: Said, rows: Rows): Picked | undefined {
  const { value } = field;
  if (typeof value === "number") return byNumber(leaf, field, said, rows);
  if (value.length > LONGEST_NAME) return undefined;
  const { isBareId, isMoment, isDay, isNumeral, isName, plain, bare } = factsOf(field);
  if (isBareId) {
    const isNumbered =
      CODE.test(value) && field.isVouched && leaf.isOwnId() && said.numbers(value, leaf.nouns());
    return isNumbered ? whole(leaf, value, rows) : undefined;
  }
  if (!field.isVouched) {
    if (!leaf.isVouched || !leaf.isOwnId()) return undefined;
    const name = [value, ...(isPhrase(bare) && bare !== plain ? [bare] : [])].find((one) =>
      saysOthers(one, leaf, said),
    );
    return name === undefined || !rows.isOnlyFor(leaf, bare) ? undefined : whole(leaf, name, rows);
  }
  if (!canLead(field, leaf) && !(said.describesIt && isSomebody(field)) && !leaf.others().some(said.says))
    return undefined;
  if (isMoment)
    return said.says(value) && !said.isOfOtherDay(value)
      ? whole(leaf, value, rows)
      : byDay(leaf, value, said, rows);
  // A day alone is in many sentences.
  if (isDay) return undefined;
  const isSaid = !isNumeral && (said.says(value) || (bare !== plain && saysName(bare, said)));
  if (isSaid && isUsedAsName(value, leaf, said)) {
    const picked = whole(leaf, value, rows);
    if (isName || leaf.record === undefined || picked === undefined) return picked;
    return { ...picked, naming: "part" };
  }
  return leaf.isVouched ? byWord(leaf, field, said, rows) : undefined;
}

/**
 * The name of a file, or of an event, is anybody's to choose: it leads to the thing itself, but to nothing else that
 * stands beside it. A person's name leads to where they are reached, and what nobody else writes leads anywhere, but
 * for somebody else whom a person's record speaks of.
 */
function canLead(field: ResultField, leaf: KnownLeaf): boolean {
  if (leaf.record === undefined || (field.name === leaf.name && field.value === leaf.value)) return true;
  return leaf.isOwn === true ? leaf.others().length === 0 : leaf.leadsHere();
}

/** What a field's own text tells, whatever was said: read once, since each value of its record asks for it. */
interface FieldFacts {
  readonly isId: boolean;
  /** True of an id that is no more than a short number or word. */
  readonly isBareId: boolean;
  readonly plain: string;
  /** As people say it: a file without its ending. */
  readonly bare: string;
  readonly isMoment: boolean;
  readonly isDay: boolean;
  readonly isNumeral: boolean;
  readonly isName: boolean;
  /** The words that follow each other in it, and those of them by which somebody may mean it. */
  readonly words: readonly string[];
  readonly telling: readonly string[];
}

const factsOf = rememberedFor(({ value: given, name }: ResultField): FieldFacts => {
  const value = String(given);
  const plain = plainForm(value);
  const bare = withoutExtension(plain);
  const [day, time] = momentNeeds(value.toLowerCase());
  const words = wordsIn(IDENTIFIER.test(plain) && /\.\p{L}/u.test(plain) ? bare : plain);
  const names = wordsOfName(name);
  // People are called Bob and Ann.
  const shortest = names.some((part) => PERSON_FIELDS.has(part)) ? SHORTEST_NAME : SHORTEST_WORD;
  const isId = isIdLike(given, name);
  return {
    isId,
    isBareId: isId && !isDistinctive(given, name),
    plain,
    bare,
    isMoment: day !== undefined && time !== undefined,
    isDay: day !== undefined,
    isNumeral: readNumeral(plain).length > 0,
    isName: wordsIn(value).length > 1 || names.some((word) => NAME_FIELDS.has(word)),
    words,
    // "My gift cards" is none of them, though its id begins with that.
    telling:
      isId || isAddress(value)
        ? []
        : words.filter((word) => /^\p{L}+$/u.test(word) && word.length >= shortest && !isFunctionWord(word)),
  };
});

/** What is asked of a leaf for each of its record's fields, looked up once. */
interface KnownLeaf extends RowLeaf {
  readonly isOwnId: () => boolean;
  readonly leadsHere: () => boolean;
  /** The words for somebody else than the person of the record: a `manager`. */
  readonly others: () => readonly string[];
  readonly nouns: () => readonly string[];
}

const withFacts = rememberedFor((leaf: RowLeaf): KnownLeaf => {
  const isOwn = once(() => isOwnId(leaf));
  return {
    ...leaf,
    isOwnId: isOwn,
    others: once(() => otherPersons(leaf)),
    leadsHere: once(() => isOwnName(leaf) || isOwn() || isOfOwnPerson(leaf)),
    nouns: once(() => [...wordsForKind(kindOfRow(leaf)), ...(isOfPerson(leaf) ? PERSON_NOUNS : [])]),
  };
});

function once<T>(work: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => (known ??= { value: work() }).value;
}

function isOwner({ name, value }: ResultField): boolean {
  const words = wordsOfName(name);
  return (
    typeof value === "string" &&
    !isAddress(value) &&
    words.some((word) => PERSON_FIELDS.has(word) || isPerson(word))
  );
}

/** A name by which the source itself knows somebody. */
function isSomebody({ name, value }: ResultField): boolean {
  return !isAddress(String(value)) && wordsOfName(name).some(isPerson);
}

/** What the thing itself is called. */
function isOwnName({ name, value }: RowLeaf): boolean {
  return !isAddress(String(value)) && wordsOfName(name).some((word) => OWN_NAMES.has(word));
}

function isUsedAsName(value: string, leaf: KnownLeaf, said: Said): boolean {
  return (
    !isPlainWord(value) || isAnyWordEnough(leaf) || said.callsIt(value) || said.marks(value, leaf.nouns())
  );
}

/** Where nobody else writes, a word need not be used as a name; but for whom to reach, it must: "the marketing talk". */
function isAnyWordEnough({ isOwn, value }: KnownLeaf): boolean {
  return isOwn === true && !isAddress(String(value));
}

/** A sum of money tells one record from another; other numbers are in too many sentences. */
function byNumber(leaf: KnownLeaf, field: ResultField, said: Said, rows: Rows): Picked | undefined {
  const { value, name, isVouched } = field;
  if (typeof value !== "number" || !isVouched || isIdLike(value, name)) return undefined;
  // Who is to get a sum back is whoever sent or got it.
  if (!canLead(field, leaf) && !said.returnsSum(value)) return undefined;
  const isOnly = said.saysSum(value) && rows.isOnlyFor(leaf, String(value));
  return isOnly ? { naming: "part", clue: String(value) } : undefined;
}

/** The only one of that day: its id, not whatever else stands in it. */
function byDay(leaf: KnownLeaf, value: string, said: Said, rows: Rows): Picked | undefined {
  // Who says "event 9" does not mean what is on the day that they speak of besides.
  if (!leaf.isOwnId() || said.numbersAny(leaf.nouns())) return undefined;
  const day = dayOf(value);
  return said.says(day) && rows.isOnlyFor(leaf, day) ? { naming: "part", clue: day } : undefined;
}

function whole(leaf: KnownLeaf, value: string, rows: Rows): Picked | undefined {
  return rows.isOnlyFor(leaf, plainForm(value)) ? { naming: "whole", clue: value } : undefined;
}

/** One word of a name is enough where it stands in no other name of that kind. */
function byWord(
  leaf: KnownLeaf,
  field: ResultField,
  { says, callsIt, marks, standsWithin }: Said,
  rows: Rows,
): Picked | undefined {
  if (typeof field.value === "number" || field.value.length > LONGEST_NAME) return undefined;
  const { words, telling, plain } = factsOf(field);
  const nouns = leaf.nouns();
  // "My savings account" is not the current account, for all that only that one is called an account.
  const said = telling.filter(
    (word) => !nouns.includes(singularOf(word)) && says(word) && standsWithin(word),
  );
  if (said.length === 0) return undefined;
  // A file's name is anybody's to choose, so one word of it is not enough.
  const isFile = /\S\.\S/.test(plain);
  const isTold = (word: string): boolean =>
    isBesideAnother(word, words, says) ||
    (!isFile && (isAnyWordEnough(leaf) || callsIt(word) || marks(word, nouns)));
  const clue = said.find((word) => rows.isOnlyFor(leaf, word) && isTold(word));
  return clue === undefined ? undefined : { naming: "part", clue };
}

/** Two words of a name that follow each other in it, and were said so. */
function isBesideAnother(word: string, words: readonly string[], says: Said["says"]): boolean {
  return words.some(
    (one, at) => at > 0 && (one === word || words[at - 1] === word) && says(`${words[at - 1] ?? ""} ${one}`),
  );
}

function saysName(bare: string, said: Said): boolean {
  const words = wordsIn(bare);
  return said.says(bare) || (words.length > 1 && said.says(words.join(" ")));
}

function isPhrase(name: string): boolean {
  return wordsIn(name).length > 1 && /\s/.test(name);
}

function saysOthers(value: string, leaf: KnownLeaf, { says, callsIt, namesBeside }: Said): boolean {
  const text = plainForm(value);
  if (callsIt(value)) return true;
  if (isPlainWord(text) && text.length >= SHORTEST_WORD) return namesBeside(text, leaf.nouns());
  const words = wordsIn(text);
  const isTelling =
    words.length > 1 && words.some((word) => word.length >= SHORTEST_WORD && !isFunctionWord(word));
  return (isTelling || IDENTIFIER.test(text)) && readNumeral(text).length === 0 && says(value);
}
