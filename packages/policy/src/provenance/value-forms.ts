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
const WEB_ADDRESS = /^(?:https?:\/\/)?((?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}(?::\d+)?)([/?#].*)?$/isu;
/** With all spaces that people write into it. A longer run is a column of numbers. */
const LONGEST_ACCOUNT = 1_000;
const DECIMAL = /^\d+[.,]\d+$/;

const LONGEST_DATE = 100;
/** What every date but an ISO one has, and no account number. */
const DATE_LIKE = /\d(?:[\s/.:-]|[ap]m)|[\s/.-]\d/;
const PLAIN_WORD = /^\p{L}+$/u;

/** Case and composition do not matter; compatibility characters do: `ａ` is not `a` where an address is meant. */
export function plainForm(text: string): string {
  return composedForm(text).toLowerCase();
}

/** As `plainForm`, with case kept. */
export function composedForm(text: string): string {
  return isPlainText(text) ? text.trim() : markSigns(text).normalize("NFC").trim();
}

const NOT_PLAIN = /[^\p{ASCII}]/gu;

/** Most texts are, and need no composing. */
export function isPlainText(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** Composition, or lower case, would turn a sign into the letter that it looks like: the one for Kelvin into a k. */
function markSigns(text: string): string {
  return text.replaceAll(NOT_PLAIN, (sign) => {
    const composed = sign.normalize("NFC");
    return composed !== sign && Array.from(composed).length === 1 ? `\0${sign}` : sign;
  });
}

/** True of text that a sentence may contain without speaking of it. */
export function isFunctionWord(form: string): boolean {
  return FUNCTION_WORDS.has(form) || /^\P{N}$/u.test(form);
}

/**
 * What would have to be known for a value to be explained: one form of every list. A plain value has
 * one list; a moment needs its date and its time. Takes `composedForm` text.
 */
export function neededForms(composed: string): readonly (readonly string[])[] {
  const text = composed.toLowerCase();
  if (text === "" || isFunctionWord(text)) return [[]];
  if (PLAIN_WORD.test(text)) return [[text]];
  const moment = momentNeeds(text);
  if (moment.length > 0) return moment;
  const numbers = readNumeral(text);
  if (numbers.length > 0) {
    // A numeral is a number, or an identifier written in full; never part of a longer one.
    return [[numberForm(numbers[0] ?? Number.NaN), ...compactForms(text)]];
  }
  // Behind the host, another letter's case is another page.
  const web = neededWebForms(composed);
  if (web.length > 0) return [web];
  const isShort = text.length <= LONGEST_DATE;
  const dates = (isShort && DATE_LIKE.test(text) ? findDates(text) : []).filter(
    ({ start, end }) => start === 0 && end === text.length,
  );
  return [[text, ...compactForms(text), ...dates.flatMap(({ forms }) => forms)]];
}

/** What a text must state for a web address to be explained: `http` only where no `https` was asked for. */
export function neededWebForms(text: string): readonly string[] {
  const forms = webForms(text);
  return UNENCRYPTED.test(text) ? forms.map(unencrypted) : forms;
}

/** What a web address in a text states: without a scheme, either. */
export function statedWebForms(text: string): readonly string[] {
  const forms = webForms(text);
  return ENCRYPTED.test(text) ? forms : [...forms, ...forms.map(unencrypted)];
}

const UNENCRYPTED = /^http:/i;
const ENCRYPTED = /^https:/i;

function unencrypted(form: string): string {
  return `p${form}`;
}

/** With or without scheme and closing slash, an address is the same; other schemes' are as they are written. */
export function webForms(text: string): readonly string[] {
  const [, host, path = ""] = WEB_ADDRESS.exec(text) ?? [];
  if (host !== undefined) return [`u:${host.toLowerCase()}${path.replace(/\/+$/, "")}`];
  return text.includes("://") ? [`u:${text}`] : [];
}

/** An account or telephone number without the spaces people write into it. */
export function compactForms(text: string): readonly string[] {
  if (text.length > LONGEST_ACCOUNT) return [];
  if (DECIMAL.test(text) || /^[-−]/.test(text)) return [];
  const compact = text.replaceAll(/[\s().-]/g, "");
  return COMPACTED.test(compact) ? [`c:${compact}`] : [];
}

/** True of a plain word, which is in too many sentences to be a name by itself. */
export function isPlainWord(text: string): boolean {
  return /^\p{L}+$/u.test(text.trim());
}
