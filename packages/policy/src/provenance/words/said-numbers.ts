import { splitWords } from "../../inference/split-words.ts";
import { isKindWord, isPerson, singularOf, wordsForKind } from "../kinds/kind.ts";
import { readNumeral, readSpelled } from "../read-number.ts";
import { isFunctionWord } from "../value-forms.ts";
import deedWords from "./deed-words.json" with { type: "json" };
import numberWords from "./number-words.json" with { type: "json" };
import { isVerb } from "./clause-marks.ts";
import { readMoney } from "./said-money.ts";

/** Numbers that a text states, with what they are numbers of. */
export interface SaidNumbers {
  /** `head`: the verb of the request that the text is. */
  add(text: string, head?: string): void;
  /**
   * True if a number is stated that fits an argument of this name: a sum where money is asked for, its noun. A number of
   * which nothing says what it is says how much money only in a request to pay, or alone.
   */
  has(value: number, name: string): boolean;
  /** True if a number is stated as a sum of money. */
  hasSum(value: number): boolean;
  /** True if sums are stated in this currency: a code, a word or a sign. */
  hasCurrency(currency: string): boolean;
  /** The largest sum that is stated for an argument of this name; undefined if none is. */
  largestSum(name: string): number | undefined;
  /** True if a sum is to be worked out: "the difference", "10 % more". */
  computes(): boolean;
}

/**
 * `counted`: so many things are asked for, "sell 10 shares"; `of`: what is counted, or what stands before it; `sum`: of money; `plain`: nothing says of what; `given`: the same, and
 * it is what is to be paid or set, or the whole answer.
 */
type Use = `of ${string}` | "sum" | "plain" | "given" | "counted";

const TOKEN = /[$€£¥₹]?[-−]?\d[\d.,'’]*\d%?|[$€£¥₹]?\d%?|\p{L}+|[^\s\p{L}\d]/gu;
const MONEY: ReadonlySet<string> = new Set([...numberWords.money, ...numberWords.currencies]);
const CURRENCIES: ReadonlySet<string> = new Set(numberWords.currencies);
/** Things that have a number. */
const NUMBERED: ReadonlySet<string> = new Set(numberWords.numbered);
const MEASURES: ReadonlySet<string> = new Set(numberWords.measures);
/** Verbs of requests in which a bare number says how much. */
const GIVING: ReadonlySet<string> = new Set([
  ...deedWords.paying,
  ...deedWords.returning,
  ...deedWords.setting,
  ...numberWords.giving,
]);
/** Words and signs of currencies, with the code of each. */
const CODES: ReadonlyMap<string, string> = new Map(
  Object.entries(numberWords.codes).flatMap(([code, words]) => words.map((word) => [word, code] as const)),
);
/** "50 SEK", "SEK 50". */
const UPPER_CODE = /\d\s?[A-Z]{3}(?!\p{L})|(?<!\p{L})[A-Z]{3}\s?\d/u;
const CURRENCY = /[$€£¥₹]|(?<!\p{L})\p{L}{3,7}(?!\p{L})/gu;
/** Who says one of these leaves a sum to be worked out. */
const COMPUTED = new RegExp(String.raw`%|(?<!\p{L})(?:${numberWords.computing.join("|")})(?!\p{L})`, "iu");
/** Arguments that say how many things, whatever these are. */
const COUNTS: ReadonlySet<string> = new Set("quantity qty count unit piece".split(" "));
const LONGEST_ANSWER = 4;
const MOST_NUMBERS = 10_000;

/** `plain`: whether a number beside which nothing says of what it is may be anything. Takes time linear in the text. */
export function createSaidNumbers(plain: "counts" | "counts not"): SaidNumbers {
  const uses = new Map<number, Set<Use>>();
  let isComputed = false;
  const currencies = new Set<string>();
  const note = (value: number, use: Use): void => {
    const known = uses.get(value);
    if (known !== undefined) known.add(use);
    else if (uses.size < MOST_NUMBERS) uses.set(value, new Set([use]));
  };
  return {
    add(text, head) {
      for (const sum of readMoney(text)) note(sum, "sum");
      isComputed ||= COMPUTED.test(text);
      for (const [found] of text.toLowerCase().matchAll(CURRENCY)) {
        const code = CODES.get(found) ?? found;
        if (CODES.has(found) || UPPER_CODE.test(text)) currencies.add(code);
      }
      const given = GIVING.has(head ?? "") ? readGiven(text) : readPaidTo(text);
      if (given !== undefined) for (const value of readNumeral(given)) note(value, "given");
      const plainText = text.normalize("NFC").toLowerCase();
      const found = [...plainText.matchAll(TOKEN)];
      const tokens = found.map(([token]) => token);
      for (const [at, token] of tokens.entries()) {
        // A part of an id is no number: `credit_card_9659780`, `HAT202`; "EUR50" is one.
        const isGlued = /[\p{L}_]/u.test(plainText[(found[at]?.index ?? 0) - 1] ?? "");
        if (
          isGlued &&
          /\d/.test(token) &&
          !CODES.has(tokens[at - 1] ?? "") &&
          !CURRENCIES.has(tokens[at - 1] ?? "")
        )
          continue;
        const spelled = /^\p{L}/u.test(token) ? (readSpelled(tokens, at) ?? readOne(tokens, at)) : undefined;
        const values = spelled === undefined ? readNumeral(token) : [spelled.value];
        if (values.length === 0) continue;
        const behind = at + (spelled?.length ?? 1);
        // "5 more seats" are seats.
        const counted = tokens[MORE.has(tokens[behind] ?? "") ? behind + 1 : behind];
        const next = meaningOf(counted);
        const before = meaningOf(tokens[at - 1]) ?? meaningBefore(tokens, at);
        for (const value of values) {
          if (next !== undefined && head !== undefined && tokens[at - 1] === head) note(value, "counted");
          if (next !== undefined) note(value, isMoney(next, counted) ? "sum" : `of ${next}`);
          if (before !== undefined) note(value, `of ${before}`);
          if (next !== undefined || isNumbered(tokens, at)) continue;
          note(value, "plain");
          const isAlone = tokens.length <= LONGEST_ANSWER && tokens.every(saysNothing);
          if ((isAlone || GIVING.has(head ?? "")) && !isOfTime(tokens, at)) note(value, "given");
        }
      }
    },
    largestSum(name) {
      const words = splitWords(name).map(singularOf);
      const isSum = (use: Use): boolean =>
        use === "sum" || use === "given" || words.some((word) => use === `of ${word}`) || isOfMoney(use);
      const sums = [...uses].filter(([, of]) => [...of].some(isSum)).map(([value]) => value);
      return sums.length === 0 ? undefined : Math.max(...sums);
    },
    hasCurrency(currency) {
      const said = currency.trim().toLowerCase();
      return currencies.has(CODES.get(said) ?? said);
    },
    computes: () => isComputed,
    has(value, name) {
      const known = uses.get(value);
      if (known === undefined) return false;
      const words = splitWords(name).map(singularOf);
      const asksMoney = words.some((word) => MONEY.has(word));
      if ((plain === "counts" && known.has(asksMoney ? "given" : "plain")) || (asksMoney && known.has("sum")))
        return true;
      if (known.has("counted") && words.some((word) => COUNTS.has(word))) return true;
      const nouns = wordsForKind({ heads: words });
      if (nouns.some((noun) => known.has(`of ${noun}`))) return true;
      // Who books for 2 people has 2 guests.
      if (words.some(isPerson) && [...known].some((use) => isPerson(use.slice(3)))) return true;
      return !asksMoney && [...known].some((use) => MEASURES.has(use.slice(3)));
    },
    hasSum: (value) => uses.get(value)?.has("sum") === true,
  };
}

const MORE: ReadonlySet<string> = new Set("more additional extra further".split(" "));

/** "One guest", and not "the old one". */
function readOne(
  tokens: readonly string[],
  at: number,
): { readonly value: number; readonly length: number } | undefined {
  return tokens[at] === "one" && isPerson(singularOf(tokens[at + 1] ?? ""))
    ? { value: 1, length: 1 }
    : undefined;
}

function isOfMoney(use: Use): boolean {
  return MONEY.has(use.slice(3));
}

/** "Pay Bob Lee 50", "pay bob@x.example 50": how much somebody gets, behind their name; not "pay Invoice 50". */
const GIVEN =
  /(?<!\p{L})(\p{L}+)\s+(?:((?:\p{Lu}[\p{L}'’-]+\s+){1,3})|\S+@\S+\s+|\p{L}{2}\d{10,}\s+)([$€£¥₹]?\d[\d.,'’]*\d|[$€£¥₹]?\d)(?=[.,!]?(?:\s*$|\s+(?:for|to|from|please|today|tomorrow|now|as|by|on|at|via)(?!\p{L})|\s*[,;]))/u;

/** "Pay my friend Bob 50." */
const OF_OTHERS: ReadonlySet<string> = new Set(numberWords.others);

function readGiven(text: string): string | undefined {
  const [, before = "", names = "", sum] = GIVEN.exec(text) ?? [];
  // "On the deal Regatta 2026" gives nobody anything.
  const noun = before.toLowerCase();
  if (!isVerb(noun) && !isFunctionWord(noun) && !isPerson(singularOf(noun)) && !OF_OTHERS.has(noun))
    return undefined;
  const isThing = names
    .split(/\s+/)
    .some(
      (name) =>
        isKindWord(name.toLowerCase()) || NUMBERED.has(singularOf(name.toLowerCase())) || MONTH.test(name),
    );
  return isThing ? undefined : sum?.toLowerCase();
}

/** "The bill: 12 to DE222222222", "12 to bob@x.example": a number at the beginning, and who gets it. */
const PAID_TO = /(?:^|[:;])\s*([$€£¥₹]?\d[\d.,'’]*\d|[$€£¥₹]?\d)\s+to\s+(?:\S+@\S+\.\p{L}|\p{L}{2}\d{6,})/u;

function readPaidTo(text: string): string | undefined {
  return PAID_TO.exec(text)?.[1]?.toLowerCase();
}

/** "On September 1." */
const MONTH = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i;

function meaningOf(token: string | undefined): string | undefined {
  if (token === "%") return "percent";
  if (token === undefined || !/^\p{L}/u.test(token) || isFunctionWord(token)) return undefined;
  // "Pay 25 monthly."
  if (/^(?:hour|dai|week|month|quarter|year|annual)ly$/.test(token)) return undefined;
  return singularOf(token);
}

/** "500 euros" and "500 rent", but not "40 tips". */
function isMoney(noun: string, said: string | undefined): boolean {
  return CURRENCIES.has(noun) || (MONEY.has(noun) && noun === said);
}

/** "The amount is 500", "amount: 500". */
function meaningBefore(tokens: readonly string[], at: number): string | undefined {
  return /^(?:is|are|of|to|:|=|at|by)$/.test(tokens[at - 1] ?? "") ? meaningOf(tokens[at - 2]) : undefined;
}

/** "500, please." */
function saysNothing(token: string): boolean {
  return token === "please" || meaningOf(token) === undefined;
}

/** "By 2026", and the end of a range: "from 0 to 2026". */
function isOfTime(tokens: readonly string[], at: number): boolean {
  const [before = "", first = ""] = [tokens[at - 1], tokens[at - 2]];
  if (/^(?:by|in|on|at|until|till|before|after|since|from|than|between)$/.test(before)) return true;
  if (!/^(?:to|and|[-–])$/.test(before) || !/^\d/.test(first)) return false;
  // "The rent of tenant 61 to 1010": the first one is a thing's.
  return before !== "to" || !isOfOneThing(tokens, at - 2);
}

/** "Tenant 61", "listing L-2050"; not "pages 3 to 7". */
function isOfOneThing(tokens: readonly string[], at: number): boolean {
  const before = tokens[at - 1] ?? "";
  if (before === "-" || before === "#") return /^\p{L}/u.test(tokens[at - 2] ?? "");
  return !before.endsWith("s") && isNumbered(tokens, at);
}

/** "Invoice 500" and "room 500" are things. */
function isNumbered(tokens: readonly string[], at: number): boolean {
  const before = tokens[at - 1] ?? "";
  if (before === "#") return true;
  // "Pay invoice 500", and not "invoice 500 to Bob".
  return meaningOf(before) !== undefined && (!isVerb(before) || (at > 1 && NUMBERED.has(before)));
}
