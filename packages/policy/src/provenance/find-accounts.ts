import type { Found } from "./links-of-run.ts";

/** In groups, as people write them: `DE89 3704 0044 0532 0130 00`, `4111-1111-1111-1111`, `0900 123 456`. */
const IBAN =
  /(?<![\p{L}\p{N}])[a-z]{2}\d{2}(?:[ .-](?=[a-z]*\d)[a-z\d]{2,6}|[ .-][a-z]{4}(?=[ .-]\d)){2,8}(?:[ .-]\d{1,3})?(?![\p{L}\p{N}])/giu;
const GROUPS = /(?<![\p{L}\p{N}.,:/-])\d{2,}(?:[ ./-]\d{2,}){1,9}(?![\p{L}\p{N}]|[.,:/-]\d)/gu;
/** Letter by letter, with a digit among them. */
const SPELLED = /(?<![\p{L}\p{N}])[\p{L}\p{N}](?:[ .-][\p{L}\p{N}]){7,}(?![\p{L}\p{N}])/gu;
export const DATE =
  /(?<!\d)(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?!\d)|(?<!\d)\d{1,2}[./-]\d{1,2}[./-](?:19|20)\d{2}(?!\d)/g;
const YEARS = /^(?:(?:19|20)\d{2}[ ./-]?)+$/;
const FEWEST_DIGITS = 10;
const FEWEST_IN_TELEPHONE = 8;
const FEWEST_IN_SPELLED = 4;

/** Numbers of accounts, cards and telephones that are written in groups or letter by letter. */
export function findAccounts(text: string): readonly Found[] {
  // A date beside one is no part of it.
  const undated = text.replaceAll(DATE, (date) => "|".repeat(date.length));
  return [
    ...matches(undated, IBAN).filter(({ value }) => digitsOf(value) >= FEWEST_DIGITS),
    ...matches(undated, GROUPS).filter(({ value }) => isAccount(value)),
    ...matches(undated, SPELLED)
      .filter(({ value }) => digitsOf(value) >= FEWEST_IN_SPELLED)
      .map(({ value, start, end }) => ({ value: value.replaceAll(/[ .-]/g, ""), start, end })),
  ];
}

function matches(text: string, pattern: RegExp): readonly Found[] {
  return [...text.matchAll(pattern)].map(({ 0: value, index }) => ({
    value,
    start: index,
    end: index + value.length,
  }));
}

function isAccount(run: string): boolean {
  if (YEARS.test(run)) return false;
  return digitsOf(run) >= (run.startsWith("0") ? FEWEST_IN_TELEPHONE : FEWEST_DIGITS);
}

function digitsOf(text: string): number {
  return text.replaceAll(/\D/g, "").length;
}
