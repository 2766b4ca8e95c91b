const UNITS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const TEENS = ["thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"];
const TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];
const SCALES: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1_000],
  ["million", 1_000_000],
]);

/** "one" is missing: it stands for too much else. */
const WORDS: ReadonlyMap<string, number> = new Map([
  ...[...UNITS, ...TEENS].map((word, at) => [word, at + 2] as const),
  ...TENS.map((word, at) => [word, (at + 2) * 10] as const),
]);

const NUMERAL =
  /^([-−+]?)(?:(?:[$€£¥₹]|(?:usd|eur|gbp|chf)\s?)([-−]?))?(\d[\d.,'’]*)\s?(%|k|m|[$€£¥₹]|usd|eur|gbp|chf)?$/;
const GROUPED = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d{1,3}(?:['’]\d{3})+(?:[.,]\d+)?$/;
const GROUPED_BY_POINTS = /^\d{1,3}(?:\.\d{3})+(?:,\d+)?$/;
const PLAIN = /^\d+(?:\.\d+)?$/;
const COMMA = /^\d+,\d+$/;

/** How a number is written where values are compared: `1,000.00` and `1000` are the same. */
export function numberForm(value: number): string {
  return `n:${value}`;
}

/** Every number that a lower-case numeral may stand for: `1.000` is one, and a thousand in half of Europe. */
export function readNumeral(text: string): readonly number[] {
  const [, before = "", after = "", digits, unit] = NUMERAL.exec(text) ?? [];
  if (digits === undefined) return [];
  const sign = /[-−]/.test(before + after) ? -1 : 1;
  return readDigits(digits).flatMap((amount) => scaled(sign * amount, unit));
}

function readDigits(digits: string): readonly number[] {
  const readings: number[] = [];
  if (PLAIN.test(digits)) readings.push(Number(digits));
  if (GROUPED.test(digits)) readings.push(Number(digits.replaceAll(/[,'’](?=\d{3})/g, "").replace(",", ".")));
  if (GROUPED_BY_POINTS.test(digits)) readings.push(Number(digits.replaceAll(".", "").replace(",", ".")));
  if (COMMA.test(digits)) readings.push(Number(digits.replace(",", ".")));
  return readings;
}

function scaled(amount: number, unit: string | undefined): readonly number[] {
  if (unit === "%") return [amount, Number((amount / 100).toPrecision(12))];
  if (unit === "k") return [amount * 1_000];
  if (unit === "m") return [amount, amount * 1_000_000];
  return [amount];
}

/** The number that the words from `at` on spell, and how many words it takes: `two hundred fifty`. */
export function readSpelled(
  words: readonly string[],
  at: number,
): { value: number; length: number } | undefined {
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

function smallNumber(word: string): number | undefined {
  const known = WORDS.get(word);
  if (known !== undefined) return known;
  const [tens = "", unit = "", more] = word.split("-");
  const [high, low] = [WORDS.get(tens), unit === "one" ? 1 : WORDS.get(unit)];
  if (more !== undefined || high === undefined || low === undefined || high < 20 || low > 9) return undefined;
  return high + low;
}
