import { plainForms } from "./irregular-forms.ts";
import { type Phrase, phraseAt } from "./phrases.ts";
import { type Deed, deedsOf } from "./verbs.ts";

/** Verbs that are nouns as well, and what a word stands behind where it is a verb. */
const ALSO_NOUNS = wordSet(
  "mail email message text call page book record log order comment label tag file share report star like post reply answer review rate vote poll quiz plan print ship fax film stream trade rent link backup snapshot scan bill invoice pay charge tip deposit transfer release export import draft copy pin block ban fork clone check count search query view lock stop end bin trash drop empty fire update change edit fix set switch turn release play pause raise mark schedule run start build push match follow notify ping sign queue split ride park chat sync wire dm",
);
const BEFORE_VERBS = wordSet(
  "please to and then you lets let i we just must should can could now also dont never",
);
/** Verbs that ask where they come first. */
const ASKS_AT_FIRST = wordSet("is are am was were does did has have");

/** The first verb tells, unless it tells what happened before; a question asks to read. */
export function deedsAskedFor(words: readonly string[]): ReadonlySet<Deed> {
  let before: ReadonlySet<Deed> | undefined;
  for (const [at, word] of words.entries()) {
    // “How do I cancel it” asks to cancel.
    if (word === "how" && /^(?:do|can|to|could|would|should)$/.test(words[at + 1] ?? "")) continue;
    // “Is it full” asks; “it is full” does not.
    if (at > 0 && ASKS_AT_FIRST.has(word)) continue;
    const together = phraseAt(words, at);
    const deeds = (together === undefined ? undefined : deedsOfPhrase(word, together)) ?? deedsOf(word);
    // “Photos tagged sunset” tells of photos.
    if (deeds === undefined || (isPast(word) && /[^s]s$/.test(words[at - 1] ?? ""))) continue;
    // “Mail him” writes; “any mail” does not, unless nothing else is said.
    const isNoun = at > 0 && ALSO_NOUNS.has(word) && !BEFORE_VERBS.has(words[at - 1] ?? "");
    if (!isNoun && !isPast(word)) return deeds;
    before ??= deeds;
  }
  return before ?? new Set();
}

/** “Give it back” asks to refund or to return. */
function deedsOfPhrase(first: string, { term, meant }: Phrase): ReadonlySet<Deed> | undefined {
  const [known, alone] = [deedsOf(term), deedsOf(first)];
  if (known !== undefined || alone === undefined || alone.has("read") || /(?:ing|s)$/.test(first))
    return known ?? alone;
  return meant.map(deedsOf).find((deeds) => deeds !== undefined) ?? alone;
}

function isPast(word: string): boolean {
  return plainForms.has(word) || /[^e]ed$/.test(word);
}

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}
