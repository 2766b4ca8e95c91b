import { readNumeral } from "../read-number.ts";

const MONEY =
  /(?:[$€£¥₹]|(?<!\p{L})(?:usd|eur|gbp|chf))\s?(\d[\d.,'’]{0,20})|(?<![\p{L}\p{N}.,])(\d[\d,'’]{0,20}[.,]\d{2})(?![.,]?\d)|(?<![\p{L}\p{N}.,])(\d[\d.,'’]{0,20})\s?(?:[$€£¥₹]|(?:usd|eur|gbp|chf|dollars?|euros?|pounds?|francs?)(?!\p{L}))/giu;

/** The sums in a text that are written as money, with a currency or with cents. Other numbers are in every text. */
export function readMoney(text: string): readonly number[] {
  return [...text.matchAll(MONEY)].flatMap(([, ...found]) =>
    readNumeral((found.find((digits) => digits !== undefined) ?? "").replace(/[.,'’]+$/, "")),
  );
}
