import { momentNeeds } from "./read-date.ts";
import type { ResultLeaf } from "./result-leaves.ts";
import { composedForm, neededForms } from "./value-forms.ts";
import { formsOfNumber } from "./value-reading.ts";

/** Values that a source guarantees, with the records that contained them. */
export interface TrustedValues {
  add(leaf: ResultLeaf, source: string): void;
  /** One more place of a value that tells nothing about which one is meant: it only counts among those that are kept. */
  addPlace(value: string | number): void;
  find(value: string | number): TrustedValue | undefined;
}

export interface TrustedValue {
  readonly source: string;
  readonly leaves: readonly ResultLeaf[];
}

/** How many records are kept for a value that many records share; more would not help to select one. */
const MAX_RECORDS = 16;

export function createTrustedValues(): TrustedValues {
  const values = new Map<string, { source: string; leaves: ResultLeaf[] }>();
  /**
   * For a value with places only, or with more places than leaves: a number takes less memory than a list.
   */
  const places = new Map<string, number>();
  return {
    add(leaf, source) {
      for (const form of formsOnce(leaf.value)) {
        const known = values.get(form);
        if ((known?.leaves.length ?? 0) + (places.get(form) ?? 0) >= MAX_RECORDS) continue;
        if (known === undefined) values.set(form, { source, leaves: [leaf] });
        else known.leaves.push(leaf);
      }
    },
    addPlace(value) {
      for (const form of formsOnce(value)) {
        const count = places.get(form) ?? 0;
        if (count < MAX_RECORDS) places.set(form, count + 1);
      }
    },
    find(value) {
      const form = formsOf(value).find((one) => values.has(one));
      return form === undefined ? undefined : values.get(form);
    },
  };
}

function formsOnce(value: string | number): Iterable<string> {
  const forms = formsOf(value);
  return forms.length < 2 ? forms : new Set(forms);
}

function formsOf(value: string | number): readonly string[] {
  if (typeof value === "number") return formsOfNumber(value);
  const text = composedForm(value);
  // A moment counts as a whole: not the day of one with the hour of another, nor the same day of any year.
  return momentNeeds(text.toLowerCase()).length > 0 ? [text.toLowerCase()] : neededForms(text).flat();
}
