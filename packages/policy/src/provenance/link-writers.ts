import { findCarriers } from "./find-carriers.ts";
import type { Said } from "./is-named.ts";
import { isIdLike, isPerson } from "./kinds/kind.ts";
import type { RowLeaf } from "./kinds/rows.ts";
import { momentNeeds } from "./read-date.ts";
import { readNumeral } from "./read-number.ts";
import type { ResultLeaf } from "./result-leaves.ts";
import { composedForm, isPlainWord, plainForm, webForms } from "./value-forms.ts";
import { wordsOfName } from "./words-of-name.ts";

/** The records in whose text a link stands, with what their source guarantees of them. */
export interface LinkWriters {
  add(leaf: ResultLeaf, toolPath: string): void;
  /** Whoever the source says wrote a link, if the user spoke of them. */
  find(link: string, said: Said): string | undefined;
}

const LINK_HINT = /www\.|:\/\//i;
const MOST_LINKS = 16;

export function createLinkWriters(): LinkWriters {
  const linked = new Map<string, RowLeaf[]>();
  return {
    add(leaf, toolPath) {
      if (typeof leaf.value !== "string" || !LINK_HINT.test(leaf.value)) return;
      for (const link of findCarriers(leaf.value).slice(0, MOST_LINKS))
        for (const form of webForms(link)) {
          const known = linked.get(form) ?? [];
          linked.set(form, known);
          if (known.length < MOST_LINKS) known.push({ ...leaf, toolPath });
        }
    },
    find(link, said) {
      const [form = ""] = webForms(composedForm(link));
      for (const { record } of linked.get(form) ?? [])
        for (const { value, name, isVouched } of record?.fields ?? [])
          if (
            isVouched &&
            isWriter(name) &&
            typeof value === "string" &&
            !isIdLike(value, name) &&
            isName(value) &&
            said.says(value) &&
            (!isPlainWord(value) || said.callsIt(value) || said.marks(value, []))
          )
            return value;
      return undefined;
    },
  };
}

/** Not whoever, or whatever, got it: the channel of a post wrote nothing. */
function isWriter(name: string): boolean {
  return wordsOfName(name).some((word) => WRITING.has(word) || (isPerson(word) && !GETTING.has(word)));
}

const WRITING: ReadonlySet<string> = new Set(
  "from by name first last user username login handle nick nickname writer poster posted creator created publisher editor source site host account".split(
    " ",
  ),
);

const GETTING: ReadonlySet<string> = new Set(
  "recipient receiver addressee participant attendee invitee assignee payee beneficiary".split(" "),
);

/** A date is in a record, too, but nobody is called by it. */
function isName(text: string): boolean {
  return momentNeeds(text.toLowerCase()).length === 0 && readNumeral(plainForm(text)).length === 0;
}
