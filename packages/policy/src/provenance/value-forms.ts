import { findDates, momentNeeds } from "./read-date.ts";
import { numberForm, readNumeral } from "./read-number.ts";

/** Words that say nothing by themselves: a value that is one of them is explained by no sentence. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those it its i me my mine we us our you your he him his she her they them their who what
which when where why how and or but nor if then else so as of to in on at by for from with without into over under
about between after before during all any both each every everyone everybody some many much more most few less no not
none only own same other another such than too very can could will would shall should may might must do does did done
is are was were be been being have has had there here up down out off again once also just please yes ok true false
null one`.split(/\s+/),
);
const COMPACTED = /^(?:[a-z]{2}\d{2}[a-z0-9]{8,30}|\+?\d{7,})$/;
const WEB_ADDRESS = /^(?:https?:\/\/)?((?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#].*)?)$/u;

/** What every date but an ISO one has, and no account number. */
const DATE_LIKE = /\d(?:[\s/.:-]|[ap]m)|[\s/.-]\d/;
const PLAIN_WORD = /^\p{L}+$/u;

/** Case and composition do not matter; compatibility characters do: `ａ` is not `a` where an address is meant. */
export function plainForm(text: string): string {
  return text.normalize("NFC").toLowerCase().trim();
}

/** True of text that a sentence may contain without speaking of it. */
export function isFunctionWord(form: string): boolean {
  return FUNCTION_WORDS.has(form) || /^\P{N}$/u.test(form);
}

/**
 * What would have to be known for a value to be explained: one form of every list. A plain value has
 * one list; a moment needs its date and its time. Takes `plainForm` text.
 */
export function neededForms(text: string): readonly (readonly string[])[] {
  if (text === "" || isFunctionWord(text)) return [[]];
  if (PLAIN_WORD.test(text)) return [[text]];
  const moment = momentNeeds(text);
  if (moment.length > 0) return moment;
  const numbers = readNumeral(text);
  if (numbers.length > 0) {
    // A numeral is a number, or an identifier written in full; never part of a longer one.
    return [[numberForm(numbers[0] ?? Number.NaN), ...compactForms(text)]];
  }
  const dates = (DATE_LIKE.test(text) ? findDates(text) : []).filter(
    ({ start, end }) => start === 0 && end === text.length,
  );
  return [[text, ...webForms(text), ...compactForms(text), ...dates.flatMap(({ forms }) => forms)]];
}

/** With or without scheme and closing slash, an address is the same. */
export function webForms(text: string): readonly string[] {
  const [, rest] = WEB_ADDRESS.exec(text) ?? [];
  return rest === undefined ? [] : [`u:${rest.replace(/\/+$/, "")}`];
}

/** An account or telephone number without the spaces people write into it. */
export function compactForms(text: string): readonly string[] {
  const compact = text.replaceAll(/[\s().-]/g, "");
  return COMPACTED.test(compact) ? [`c:${compact}`] : [];
}
