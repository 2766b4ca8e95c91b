import { momentNeeds } from "../read-date.ts";
import type { ResultField, ResultLeaf, ResultRecord } from "../result-leaves.ts";
import { rememberedFor } from "../../remembered.ts";
import { plainForm } from "../value-forms.ts";
import { wordsOfName } from "../words-of-name.ts";
import { isIdLike, isIdName, isPerson, type Kind, kindOfField, kindOfRecord, saysOnlyId } from "./kind.ts";
import { kindSaidBy } from "./kind-beside.ts";

/** A value that a source guarantees, with the tool that gave it. */
export interface RowLeaf extends ResultLeaf {
  readonly toolPath: string;
  /** True if nobody but the user and the system writes into what this came with. */
  readonly isOwn?: boolean;
  /** What it and its record are, where that was looked up when it was added. */
  readonly kinds?: LeafKinds;
}

export interface LeafKinds {
  readonly own: Kind;
  readonly row: Kind;
}

/** Looks up kinds once for all values that stand in the same place: a list has many of these. */
export function createLeafKinds(): (leaf: RowLeaf) => LeafKinds {
  const known = new Map<string, LeafKinds>();
  return (leaf) => {
    const { name, toolPath, record } = leaf;
    // What a record itself says that it is, if its source vouches for that.
    const said = kindSaidBy((record?.fields ?? []).filter(({ isVouched }) => isVouched));
    const place = JSON.stringify([toolPath, name, record?.name, record?.isTop, said]);
    const found = known.get(place);
    if (found !== undefined) return found;
    const withSaid = (kind: Kind): Kind =>
      said === undefined ? kind : { ...kind, heads: [said, ...kind.heads], isVague: false };
    const own = kindOfLeaf(leaf);
    const kinds = { own: saysOnlyId(name) ? withSaid(own) : own, row: withSaid(kindOfRow(leaf)) };
    if (known.size < MOST_PLACES) known.set(place, kinds);
    return kinds;
  };
}

/**
 * Which records a word or a name may mean, by kind. Uniqueness covers what was read: a name that two records
 * share picks out neither.
 */
export interface Rows {
  add(leaf: RowLeaf): void;
  /** A word of the user's. */
  hear(word: string): void;
  /** True if every record of the leaf's kind that this clue fits has the leaf's value, or is its record. */
  isOnlyFor(leaf: RowLeaf, clue: string): boolean;
  /** True if a word of the user's fits any record of a kind that one of these words means. */
  isSpokenOf(kinds: readonly string[]): boolean;
}

type Row = ResultRecord | ResultLeaf;

/** A field that is longer is a text, by which nobody calls a thing. */
const LONGEST_NAME = 120;
const SHORTEST_WORD = 3;
const MOST_HEARD = 20_000;
const MOST_PLACES = 10_000;
const IN_ADDRESS = /^@/;
/** A word in one of these is no word of a name: anyone may register or upload what they like. */
const ADDRESS = /@|:\/\/|\S\.\S+[/?#]/;
/** An extension is not part of a file's name, as people say it. */
const EXTENSION = /(?<=[\p{L}\p{N}])\.\p{L}[\p{L}\p{N}]{1,4}$/u;

/** Adding takes time linear in what is added; a question looks only at the records that a clue fits. */
export function createRows(): Rows {
  /** By clue, then by kind. */
  const rows = new Map<string, Map<string, Row[]>>();
  const heard = new Set<string>();
  const spokenOf = new Set<string>();
  /** The kinds that a record is known under. */
  const known = new WeakMap<ResultRecord, Set<string>>();

  const put = (head: string, clue: string, row: Row): void => {
    const byHead = rows.get(clue) ?? new Map<string, Row[]>();
    if (byHead.size === 0) rows.set(clue, byHead);
    const found = byHead.get(head);
    if (found === undefined) byHead.set(head, [row]);
    else if (found.at(-1) !== row) found.push(row);
    if (heard.has(clue.replace(IN_ADDRESS, ""))) spokenOf.add(head);
  };
  const putField = (head: string, { value, name, isVouched }: ResultField, row: Row): void => {
    if (isIdLike(value, name)) return;
    if (typeof value === "number") return put(head, String(value), row);
    if (value.length > LONGEST_NAME) return;
    // Single words of what others wrote pick out nothing, so they need not be told apart.
    const whole = plainForm(value);
    for (const clue of isVouched ? cluesOf(value) : new Set([whole, withoutExtension(whole)]))
      put(head, clue, row);
  };
  const isNew = (record: ResultRecord, head: string): boolean => {
    const heads = known.get(record) ?? new Set<string>();
    if (heads.has(head)) return false;
    known.set(record, heads.add(head));
    return true;
  };

  return {
    add(leaf) {
      const { record } = leaf;
      const head = headOfRow(leaf);
      if (record === undefined) return putField(head, leaf, leaf);
      if (isNew(record, head)) for (const field of record.fields) putField(head, field, record);
      return undefined;
    },
    hear(word) {
      if (heard.has(word) || heard.size >= MOST_HEARD) return;
      heard.add(word);
      for (const clue of [word, `@${word}`])
        for (const head of rows.get(clue)?.keys() ?? []) spokenOf.add(head);
    },
    isOnlyFor: (leaf, clue) => (rows.get(clue)?.get(headOfRow(leaf)) ?? []).every((row) => isOf(row, leaf)),
    isSpokenOf: (kinds) => kinds.some((kind) => spokenOf.has(kind)),
  };
}

/** What a value stands for. */
export function kindOfLeaf({ name, record, toolPath, kinds }: RowLeaf): Kind {
  if (kinds !== undefined) return kinds.own;
  return kindOfField({ name, toolPath, recordName: record?.name ?? "", isTop: record?.isTop ?? true });
}

/** True if the record is of somebody: a contact, a user, a member, or whoever a directory lists. */
export function isOfPerson(leaf: RowLeaf): boolean {
  const { heads, space } = kindOfRow(leaf);
  if (heads.some(isPerson)) return true;
  return DIRECTORIES.has(space) && leaf.record !== undefined && isReachable(leaf.record).is;
}

/** True if a service lists people: what they are called there, they are called in every service. */
export function isInDirectory(leaf: RowLeaf): boolean {
  return DIRECTORIES.has(kindOfLeaf(leaf).space) && isOfOwnPerson(leaf);
}

const DIRECTORIES: ReadonlySet<string> = new Set(
  "directory people users accounts identity employees staff hr ldap members team contacts".split(" "),
);

const isReachable = rememberedFor(({ fields }: ResultRecord): { readonly is: boolean } => {
  const has = (names: ReadonlySet<string>): boolean =>
    fields.some(({ name, isVouched }) => isVouched && names.has(name.toLowerCase().replaceAll("_", "")));
  return { is: has(FULL_NAMES) && has(REACHED_AT) };
});

export const FULL_NAMES: ReadonlySet<string> = new Set("name fullname displayname realname".split(" "));
const REACHED_AT: ReadonlySet<string> = new Set("email emailaddress username login handle".split(" "));

/** True of a field for the person of its record: their `email` and `work_phone`, and not their `manager_email`. */
export function isOfOwnPerson(leaf: RowLeaf): boolean {
  return isOfPerson(leaf) && otherPersons(leaf).length === 0;
}

/** The words of a field's name for somebody else than the person of its record. */
export function otherPersons(leaf: RowLeaf): readonly string[] {
  if (!isOfPerson(leaf)) return [];
  const own = kindOfRow(leaf).heads;
  return wordsOfName(leaf.name).filter(
    (word) => OTHERS.has(word) || (isPerson(word) && !own.includes(word) && !OWN_PERSON.has(word)),
  );
}

/** Whom somebody's record speaks of besides. */
const OTHERS: ReadonlySet<string> = new Set(
  "manager boss supervisor lead emergency spouse assistant deputy parent guardian owner creator referrer delegate kin".split(
    " ",
  ),
);
const OWN_PERSON: ReadonlySet<string> = new Set("user contact member person".split(" "));

/** True of the id of the record that it stands in, not of something else that the record speaks of. */
export function isOwnId(leaf: RowLeaf): boolean {
  const { heads } = kindOfLeaf(leaf);
  return (
    (isIdName(leaf.name) || isIdLike(leaf.value, leaf.name)) &&
    kindOfRow(leaf).heads.some((head) => heads.includes(head))
  );
}

/** The kind of its record, or of itself where it stands alone. */
export function kindOfRow(leaf: RowLeaf): Kind {
  const { record, toolPath, kinds } = leaf;
  if (kinds !== undefined) return kinds.row;
  return record === undefined
    ? kindOfLeaf(leaf)
    : kindOfRecord({ toolPath, recordName: record.name, isTop: record.isTop });
}

function headOfRow(leaf: RowLeaf): string {
  return kindOfRow(leaf).heads[0] ?? "";
}

/** Whole, without its extension, and word by word. Words of an address are marked: they tell nothing apart. */
function cluesOf(value: string): ReadonlySet<string> {
  const whole = plainForm(value);
  const clues = new Set([whole, withoutExtension(whole)]);
  if (momentNeeds(whole).length > 1) return clues.add(dayOf(whole));
  const mark = isAddress(whole) ? "@" : "";
  for (const word of wordsIn(whole)) if (word.length >= SHORTEST_WORD) clues.add(mark + word);
  return clues;
}

export function isAddress(name: string): boolean {
  return ADDRESS.test(name);
}

/** The day of a moment. */
export function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

export function withoutExtension(name: string): string {
  return name.includes("@") ? name : name.replace(EXTENSION, "");
}

/** Its words; also the parts of a name like `vacation-plans_v2`. */
export function wordsIn(name: string): readonly string[] {
  return name.match(/[\p{L}\p{N}]+/gu) ?? [];
}

function isOf(row: Row, leaf: RowLeaf): boolean {
  if (row === leaf.record) return true;
  // A text that speaks of several things is no name of another one.
  if (!("fields" in row)) return String(row.value).includes(String(leaf.value));
  const same = row.fields.find(({ name }) => name === leaf.name);
  if (same !== undefined) return same.value === leaf.value;
  return isSameRecord(row, leaf.record);
}

function isSameRecord(one: ResultRecord, other: ResultRecord | undefined): boolean {
  const id = one.fields.find(({ name }) => isIdName(name));
  return (
    id !== undefined &&
    other?.fields.some(({ name, value }) => name === id.name && value === id.value) === true
  );
}

const LONGEST_ROW_NAME = 120;

/** What the record of an id is called: who says to keep that speaks of the id. */
export function namesOfRow({ record }: RowLeaf): readonly string[] {
  return (record?.fields ?? []).flatMap(({ name, value, isVouched }) =>
    isVouched && typeof value === "string" && value.length <= LONGEST_ROW_NAME && OWN_NAME.test(name)
      ? [value]
      : [],
  );
}

const OWN_NAME = /(?:^|_)(?:file)?(?:name|title|subject|label)_?$/i;
