import { remembered } from "../remembered.ts";
import { momentNeeds } from "./read-date.ts";
import type { RowLeaf } from "./kinds/rows.ts";
import { composedForm, neededForms, statedWebForms } from "./value-forms.ts";
import { formsOfNumber } from "./value-reading.ts";

/** Values that a source guarantees, with the records that contained them. */
export interface TrustedValues {
  add(leaf: RowLeaf, source: string): void;
  find(value: string | number): TrustedValue | undefined;
}

export interface TrustedValue {
  readonly source: string;
  readonly leaves: readonly RowLeaf[];
}

/** How many records are kept for a value that many records share; more would not help to select one. */
const MAX_RECORDS = 16;

export function createTrustedValues(): TrustedValues {
  const values = new Map<string, { source: string; leaves: RowLeaf[] }>();
  return {
    add(leaf, source) {
      for (const form of formsOnce(leaf.value)) {
        const known = values.get(form);
        if ((known?.leaves.length ?? 0) >= MAX_RECORDS) continue;
        if (known === undefined) values.set(form, { source, leaves: [leaf] });
        else if (!known.leaves.some((one) => isSameLeaf(one, leaf))) known.leaves.push(leaf);
      }
    },
    find(value) {
      const forms = typeof value === "number" ? formsOf(value) : formsAsked(value);
      for (const form of forms) {
        const found = values.get(form);
        if (found !== undefined) return found;
      }
      return undefined;
    },
  };
}

function isSameLeaf(one: RowLeaf, other: RowLeaf): boolean {
  return (
    one.record === other.record &&
    one.name === other.name &&
    one.toolPath === other.toolPath &&
    one.isVouched === other.isVouched
  );
}

function formsOnce(value: string | number): Iterable<string> {
  const forms =
    typeof value === "number" ? formsOf(value) : [...formsOf(value), ...statedWebForms(composedForm(value))];
  return forms.length < 2 ? forms : new Set(forms);
}

const formsAsked = remembered(formsOf);

function formsOf(value: string | number): readonly string[] {
  if (typeof value === "number") return formsOfNumber(value);
  const text = composedForm(value);
  // A moment counts as a whole: not the day of one with the hour of another, nor the same day of any year.
  return momentNeeds(text.toLowerCase()).length > 0 ? [text.toLowerCase()] : neededForms(text).flat();
}
