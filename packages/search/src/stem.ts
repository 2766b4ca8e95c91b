import irregularForms from "./words/irregular-forms.json" with { type: "json" };

/** Irregular English forms and their plain words. */
const plainForms: ReadonlyMap<string, string> = new Map(
  Object.entries(irregularForms).flatMap(([plain, forms]) => forms.split(" ").map((form) => [form, plain])),
);

/** `send` for `sent`; any other word unchanged. */
export function plainFormOf(form: string): string {
  return plainForms.get(form) ?? form;
}

/**
 * An English word without the endings that grammar adds, after M. F. Porter, “An algorithm for suffix stripping”
 * (1980): `issues` and `issue`, `recommendations` and `recommend` are the same, and so are `sent`
 * and `send`. Words of other scripts stay as they are.
 */
export function stem(form: string): string {
  const word = plainFormOf(form);
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  return tidy(
    withoutSuffix(
      withoutSuffix(withoutSuffix(yToI(inflected(plural(word))), STEP_2, 0), STEP_3, 0),
      STEP_4,
      1,
    ),
  );
}

/** The same with a cache: catalogues have thousands of tools but few distinct words. */
export function createStemmer(): (form: string) => string {
  const known = new Map<string, string>();
  return (form) => {
    let found = known.get(form);
    if (found === undefined) known.set(form, (found = stem(form)));
    return found;
  };
}

const VOWEL = "(?:[aeiou]|(?<=[^aeiou])y)";
const HAS_VOWEL = new RegExp(VOWEL);
const DOUBLE = /([^aeioulsz])\1$/;
const SHORT_END = /[^aeiou][aeiouy][^aeiouwxy]$/;

/** How many times a vowel is followed by a consonant. */
function measure(text: string): number {
  let count = 0;
  let wasVowel = false;
  for (let at = 0; at < text.length; at++) {
    const isVowel = isVowelAt(text, at);
    if (wasVowel && !isVowel) count++;
    wasVowel = isVowel;
  }
  return count;
}

function isVowelAt(text: string, at: number): boolean {
  const letter = text.charAt(at);
  if ("aeiou".includes(letter)) return true;
  return letter === "y" && at > 0 && !isVowelAt(text, at - 1);
}

function plural(word: string): string {
  if (word.endsWith("sses") || word.endsWith("ies")) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

function inflected(word: string): string {
  if (word.endsWith("eed")) return measure(word.slice(0, -3)) > 0 ? word.slice(0, -1) : word;
  const base = /^(.*)(?:ed|ing)$/.exec(word)?.[1];
  if (base === undefined || !HAS_VOWEL.test(base)) return word;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (DOUBLE.test(base)) return base.slice(0, -1);
  return measure(base) === 1 && SHORT_END.test(base) ? `${base}e` : base;
}

function yToI(word: string): string {
  return word.endsWith("y") && HAS_VOWEL.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word;
}

type Step = readonly (readonly [suffix: string, replacement: string])[];

function withoutSuffix(word: string, step: Step, above: number): string {
  const found = step.find(([suffix]) => word.endsWith(suffix));
  if (found === undefined) return word;
  const [suffix, replacement] = found;
  const base = word.slice(0, -suffix.length);
  if (suffix === "ion" && !/[st]$/.test(base)) return word;
  return measure(base) > above ? base + replacement : word;
}

/** Longer endings come before those they end in. */
const STEP_2: Step = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["iveness", "ive"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["entli", "ent"],
  ["ousli", "ous"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["iviti", "ive"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["izer", "ize"],
  ["abli", "able"],
  ["alli", "al"],
  ["ator", "ate"],
  ["eli", "e"],
];
const STEP_3: Step = [
  ["icate", "ic"],
  ["ative", ""],
  ["alize", "al"],
  ["iciti", "ic"],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];
const STEP_4: Step = [
  ["ement", ""],
  ["ance", ""],
  ["ence", ""],
  ["able", ""],
  ["ible", ""],
  ["ment", ""],
  ["ant", ""],
  ["ent", ""],
  ["ion", ""],
  ["ism", ""],
  ["ate", ""],
  ["iti", ""],
  ["ous", ""],
  ["ive", ""],
  ["ize", ""],
  ["al", ""],
  ["er", ""],
  ["ic", ""],
  ["ou", ""],
];

function tidy(word: string): string {
  const base = word.endsWith("e") ? word.slice(0, -1) : word;
  const many = measure(base);
  const bare = base !== word && (many > 1 || (many === 1 && !SHORT_END.test(base))) ? base : word;
  return bare.endsWith("ll") && measure(bare) > 1 ? bare.slice(0, -1) : bare;
}
