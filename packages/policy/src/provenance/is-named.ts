import { readNumeral } from "./read-number.ts";
import type { ResultField, ResultLeaf } from "./result-leaves.ts";
import { isFunctionWord, plainForm } from "./value-forms.ts";
import { wordsOfName } from "./words-of-name.ts";

/** How well the user's words tell which one is meant: by its whole name or id, or by something else about it. */
export type Naming = "whole" | "part";

/** What the user said. */
export interface Said {
  /** A whole value, or a phrase, in whatever sense. */
  says(value: string | number): boolean;
  /** A value that is marked as a name. */
  callsIt(name: string): boolean;
}

/** A field this long is a text. Users do not name a thing by repeating a whole text. */
const LONGEST_NAME = 120;
const SHORTEST_WORD = 4;
/** Smaller whole numbers are in too many sentences. */
const SMALLEST_NUMBER = 10;
/** A word in one of these is no word of a name: anyone may register or upload what they like. */
const ADDRESS_OR_FILE = /[@/\\]|\S\.\S/;
const IDENTIFIER = /^(?=.*[\p{N}@/_]|.*\S\.\S)\S+$/u;
/** Everybody speaks of these without meaning a thing that is called so. */
const GENERIC: ReadonlySet<string> = new Set(
  `account accounts address calendar channel channels contact contacts date document documents email emails event
events file files folder folders group groups inbox invoice invoices item items list lists mail mails meeting meetings
message messages note notes order orders payment payments people person report reports summary task tasks team today
tomorrow transaction transactions transfer user users week work`.split(/\s+/),
);
const NAME_FIELDS: ReadonlySet<string> = new Set(
  "id key name title subject label number path slug filename login username user email address iban".split(
    " ",
  ),
);

/** True if the user's words select this record: by a word of its name, or by another of its fields. */
export function namingOf(leaves: readonly ResultLeaf[], said: Said): Naming | undefined {
  let best: Naming | undefined;
  for (const leaf of leaves) {
    if (leaf.isVouched && saysWordOf(leaf.value, said)) best = "part";
    for (const field of leaf.record?.fields ?? []) {
      const naming = byField(leaf, field, said);
      if (naming === "whole") return naming;
      best ??= naming;
    }
  }
  return best;
}

/**
 * Text from others can name only its own record, and only as a whole: as an identifier, or if the user marks
 * it as a name. If the record contains values that are not its own, only the fields that the source
 * guarantees count.
 */
function byField(leaf: ResultLeaf, field: ResultField, said: Said): Naming | undefined {
  const { value } = field;
  if (!field.isVouched) return leaf.isVouched && saysOthers(value, said) ? "whole" : undefined;
  if (typeof value === "number") return isTelling(value) && said.says(value) ? ofField(field) : undefined;
  if (value.length > LONGEST_NAME) return undefined;
  if (said.says(value)) return GENERIC.has(plainForm(value)) ? "part" : ofField(field);
  return leaf.isVouched && saysWordOf(value, said) ? "part" : undefined;
}

function ofField({ name }: ResultField): Naming {
  return wordsOfName(name).some((word) => NAME_FIELDS.has(word)) ? "whole" : "part";
}

function saysOthers(value: string | number, { says, callsIt }: Said): boolean {
  if (typeof value === "number" || value.length > LONGEST_NAME) return false;
  const text = plainForm(value);
  return callsIt(value) || (IDENTIFIER.test(text) && readNumeral(text).length === 0 && says(value));
}

function isTelling(number: number): boolean {
  return Math.abs(number) >= SMALLEST_NUMBER || !Number.isInteger(number);
}

function saysWordOf(value: string | number, { says }: Said): boolean {
  if (typeof value === "number" || value.length > LONGEST_NAME || ADDRESS_OR_FILE.test(value)) return false;
  const words = plainForm(value).match(/\p{L}+/gu) ?? [];
  return words.some(
    (word) => word.length >= SHORTEST_WORD && !isFunctionWord(word) && !GENERIC.has(word) && says(word),
  );
}
