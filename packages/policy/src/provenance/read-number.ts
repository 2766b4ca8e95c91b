const UNITS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"];
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1_000],
  ["million", 1_000_000],
  ["billion", 1_000_000_000],
]);

/** "one" is missing, because it has too many other meanings. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...[...UNITS, ...TEENS].map((word, at) => [word, at + 2] as const),
  ...TENS.map((word, at) => [word, (at + 2) * 10] as const),
]);

const NUMERAL =
  /^([-−+]?)(?:([$€£¥₹]|(?:usd|eur|gbp|chf)\s?)([-−]?))?(\d[\d.,'’]*)\s?(%|k|m|bn)?\s?([$€£¥₹]|usd|eur|gbp|chf)?$/;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,3}(?:['’]\d{3})+(?:[.,]\d+)?$/;
const GROUPED_BY_POINTS = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const PLAIN = /^\d+(?:\.\d+)?$/;
const COMMA = /^\d+,\d+$/;
const SHIFTS: ReadonlyMap<string, number> = new Map([
  ["k", 3],
  ["m", 6],
  ["bn", 9],
]);
/** More digits than that, and two different numerals may be the same number to the machine. */
const MOST_DIGITS = 15;

/** How a number is written where values are compared: `1,000.00` and `1000` are the same. */
export function numberForm(value: number): string {
  return `n:${value}`;
}

/**
 * Every number that a lower-case numeral may stand for: `1.000` is one, and a thousand in half of Europe.
 * What begins with a needless zero or is too long to be told apart is an identifier, and no number.
 */
export function readNumeral(text: string): readonly number[] {
  const [, before = "", currency, after = "", digits, unit, currencyAfter] = NUMERAL.exec(text) ?? [];
  if (digits === undefined || /^0\d/.test(digits)) return [];
  const sign = /[-−]/.test(before + after) ? -1 : 1;
  const hasCurrency = currency !== undefined || currencyAfter !== undefined;
  return readDigits(digits)
    .filter((decimal) => decimal.replace(".", "").replace(/^0+/, "").length <= MOST_DIGITS)
    .flatMap((decimal) => scaled(decimal, unit, hasCurrency).map((amount) => sign * amount));
}

/** As decimals with a point. */
function readDigits(digits: string): readonly string[] {
  const readings: string[] = [];
  if (PLAIN.test(digits)) readings.push(digits);
  if (GROUPED.test(digits)) readings.push(digits.replaceAll(/[,'’](?=\d{3})/g, "").replace(",", "."));
  if (GROUPED_BY_POINTS.test(digits)) readings.push(digits.replaceAll(".", "").replace(",", "."));
  if (COMMA.test(digits)) readings.push(digits.replace(",", "."));
  return readings;
}

/** Shifted as text: a product would be rounded. `5m` is five minutes or metres, unless it is money. */
function scaled(decimal: string, unit: string | undefined, hasCurrency: boolean): readonly number[] {
  if (unit === "%") return [Number(decimal), Number(`${decimal}e-2`)];
  const shift = SHIFTS.get(unit ?? "");
  if (shift === undefined) return [Number(decimal)];
  if (hasCurrency) return [Number(`${decimal}e${shift}`)];
  return unit === "m" ? [Number(decimal)] : [];
}

/** The number that a numeral and the word after it make: `5 million`, `5k dollars`. */
export function readScaledWord(word: string, next: string | undefined): number | undefined {
  if (next === undefined || !mayBeScaled(word)) return undefined;
  const scale = SCALES.get(next);
  if (scale !== undefined && /^n:\d/.test(word)) {
    const amount = Number(`${word.slice(2)}e${Math.log10(scale)}`);
    return Number.isNaN(amount) ? undefined : amount;
  }
  return CURRENCY.test(next) && UNIT_AT_END.test(word) ? readNumeral(`$${word}`)[0] : undefined;
}

/** Most words are no number, and need no pattern to tell. */
function mayBeScaled(word: string): boolean {
  const first = word.charCodeAt(0);
  return (first >= 48 && first <= 57) || word.startsWith("n:");
}

const CURRENCY = /^(?:[$€£¥₹]|usd|eur|gbp|chf|dollars?|euros?|pounds?|francs?)$/;
const UNIT_AT_END = /^\d[\d.]*(?:k|m|bn)$/;

/** The number that the words from `at` on spell, and how many words it takes: `two hundred fifty`. */
export function readSpelled(
  words: readonly string[],
  at: number,
): { value: number; length: number } | undefined {
  if (smallNumber(words[at] ?? "") === undefined) return undefined;
  let total = 0;
  let group: number | undefined;
  let length = 0;
  for (const word of words.slice(at, at + 8)) {
    const scale = SCALES.get(word);
    const small = smallNumber(word);
    if (scale !== undefined && group !== undefined) {
      if (scale === 100) group *= scale;
      else {
        total += group * scale;
        group = 0;
      }
    } else if (small !== undefined) group = (group ?? 0) + small;
    else break;
    length += 1;
  }
  return group === undefined ? undefined : { value: total + group, length };
}

/** True if a word is, or may be, part of a number in words. */
export function isNumberWord(word: string): boolean {
  return SCALES.has(word) || smallNumber(word) !== undefined;
}

function smallNumber(word: string): number | undefined {
  const known = WORDS.get(word);
  if (known !== undefined || !word.includes("-")) return known;
  const [tens = "", unit = "", more] = word.split("-");
  const [high, low] = [WORDS.get(tens), unit === "one" ? 1 : WORDS.get(unit)];
  if (more !== undefined || high === undefined || low === undefined || high < 20 || low > 9) return undefined;
  return high + low;
}
