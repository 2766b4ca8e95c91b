import { remembered } from "../remembered.ts";
import { type DateSpan, findDates } from "./read-date.ts";
import { numberForm, readNumeral, readScaledWord, readSpelled } from "./read-number.ts";
import { withoutSpelling } from "./spelled-addresses.ts";
import { compactForms, neededWebForms, statedWebForms } from "./value-forms.ts";

/** A text as it is compared with values: its words in order, and every value that it states as a whole. */
export interface TextReading {
  readonly words: readonly string[];
  readonly values: ReadonlySet<string>;
}

const NUMBER_WITH_COMMAS =
  /(?<![\p{L}\p{N}.,_/@-])[-−+]?[$€£¥₹]?(?:\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+,\d{1,2})%?(?![\p{L}\p{N}]|[.,]\d)/u;
const CHUNK = /[^\s,;"“”„«»()[\]{}<>|!?`]+/u;
const CHUNKS = new RegExp(CHUNK.source, "gu");
const PIECES = new RegExp(`${NUMBER_WITH_COMMAS.source}|${CHUNK.source}`, "gu");
/** Every number with commas has it. */
const COMMA_IN_NUMBER = /\d[,'’]\d/;
const SPACED_ACCOUNT =
  /\b[a-z]{2}\d{2} [a-z0-9]{4}(?: (?=[a-z]*\d)[a-z0-9]{1,4}){1,7}\b|(?<![\p{L}\p{N}])\+?\d[\d ().-]{5,}\d(?![\p{L}\p{N}])/gu;
/** A sentence that begins without a space after the last: `www.example.com.They wrote`. */
const GLUED = /^(.+\.\p{Ll}{2,})\.\p{Lu}\p{Ll}*$/u;
const EDGES = /^['‘’*_~:.…]+|['‘’*_~:.…]+$/gu;
const POSSESSIVE = /['’]s?$/;
/** "and/or", and a repository with its owner. */
const WORDS_WITH_SLASHES = /^\p{L}+(?:\/\p{L}+)+$|^\p{L}[\p{L}\p{N}_-]*\/\p{L}[\p{L}\p{N}_.-]*$/u;

/** Marks that end a word stand in addresses, too: behind a page's name comes a question mark. */
const LINK = /(?<![\p{L}\p{N}+.-])https?:\/\/[^\s<>"“”„«»`|]+/giu;
const AFTER_LINK = /[.,;:!?'’*_]+$/;

/** What most words are: nothing in them needs a second look. */
const PLAIN_LETTERS = /^[A-Za-z]+$/;
const PAGE = /\.\p{L}.*[/?#]|:\/\//u;

const BLANK = /\{\{|\$\{|<%|\*\|/;
const BLANKS = /\$?\{\{[^{}\s]{1,200}\}\}|\$\{[^{}\s]{1,200}\}|<%[^%\s]{1,200}%>|\*\|[^|\s]{1,100}\|\*/g;
const LONGEST_PIECE = 2_048;
const DIGIT = /\d/;

export interface ReadingOptions {
  /** As for `findDates`. */
  readonly today?: string | undefined;
  /** Whether numbers in words count as values; default true. */
  readonly numbers?: "in words" | "in digits";
  /** Values that need not be given again; default none. */
  readonly known?: Pick<ReadonlySet<string>, "has">;
}

const NOTHING_KNOWN: ReadonlySet<string> = new Set();

/** A whole number that is no more than that: what most ids are, and so most of what results consist of. */
const WHOLE_NUMBER = /^[1-9]\d{0,14}$/;

/** Takes time linear in the text. */
export function readText(text: string, options: ReadingOptions = {}): TextReading {
  if (WHOLE_NUMBER.test(text)) return readWholeNumber(text);
  const composed = text.normalize("NFC");
  const reading = readForm(composed, options);
  const compatible = composed.normalize("NFKC");
  if (compatible === composed) return reading;
  // What the user typed in full-width letters may be passed on in plain ones, not the other way round.
  const plain = readForm(compatible, options);
  return {
    words: [...reading.words, "", ...plain.words],
    values: new Set([...reading.values, ...plain.values]),
  };
}

/** The words of a text in order, as phrases are compared. */
export function wordsOf(text: string): readonly string[] {
  const composed = text.normalize("NFC");
  return (composed.match(piecesOf(composed)) ?? [])
    .map((raw) => readPiece(raw).word)
    .filter((word) => word !== "");
}

/** What stands between two separators, read once for all the times that it comes. */
interface Piece {
  /** As phrases are compared; empty where nothing but marks is there. */
  readonly word: string;
  readonly isNumber: boolean;
  /** Every value that it states. */
  readonly forms: readonly string[];
}

const NO_FORMS: readonly string[] = [];
const MOST_PIECES = 20_000;

const readPiece = remembered((raw: string): Piece => {
  // Longer than any address: this is data. It keeps its place, but is not a value.
  if (raw.length > LONGEST_PIECE) return { word: raw, isNumber: false, forms: NO_FORMS };
  const lower = raw.toLowerCase();
  if (PLAIN_LETTERS.test(raw)) return { word: lower, isNumber: false, forms: [lower] };
  const piece = raw.replace(EDGES, "");
  const word = piece.toLowerCase();
  const numbers = DIGIT.test(word) ? readNumeral(word) : [];
  const [number] = numbers;
  // The case of what stands behind a host tells one page from another.
  const [page = word] = PAGE.test(piece) ? neededWebForms(piece) : [];
  const isPlain = PLAIN_WORD.test(word);
  return {
    word: number === undefined ? page : numberForm(number),
    isNumber: number !== undefined,
    forms: [...numbers.map(numberForm), word, ...(isPlain ? NO_FORMS : formsOfPiece(piece, word))],
  };
}, MOST_PIECES);

/** Numbers with commas are one piece; where there is none, the pattern for them need not be tried at every place. */
function piecesOf(text: string): RegExp {
  return COMMA_IN_NUMBER.test(text) ? PIECES : CHUNKS;
}

/** As `readForm` would. */
function readWholeNumber(text: string): TextReading {
  const form = numberForm(Number(text));
  return { words: [form], values: new Set([text, form, ...compactForms(text)]) };
}

/** The same of a text that is in its form already. */
export function readForm(
  text: string,
  { today, numbers, known = NOTHING_KNOWN }: ReadingOptions,
): TextReading {
  const lower = text.toLowerCase();
  // Lower case changes a few letters' length: then places are those of the lower-case text alone.
  const original = lower.length === text.length ? text : lower;
  const values = new Set<string>();
  for (const chunk of lower.split(/\s+/)) if (!known.has(chunk)) values.add(chunk);
  // What a service fills in is one thing, with its marks: `{{name}}`.
  if (BLANK.test(lower)) for (const [blank] of lower.matchAll(BLANKS)) values.add(blank);
  const dates = findDates(lower, today);
  for (const { forms } of dates) for (const form of forms) values.add(form);
  if (DIGIT.test(lower))
    for (const [run] of lower.matchAll(SPACED_ACCOUNT))
      for (const form of compactForms(run)) values.add(form);
  if (lower.includes("://"))
    for (const [link] of original.matchAll(LINK)) if (link.length <= LONGEST_PIECE) addLink(link, values);
  addSpelledAddresses(lower, values);
  const words: string[] = [];
  const addPiece = ({ word, forms }: Piece, isInDate: boolean): void => {
    if (word === "") return;
    words.push(word);
    if (!isInDate) for (const form of forms) if (!known.has(form)) values.add(form);
  };
  if (dates.length === 0)
    for (const raw of original.match(piecesOf(original)) ?? []) addPiece(readPiece(raw), false);
  else {
    const isInDate = createSpanTest(dates);
    for (const { 0: raw, index } of original.matchAll(piecesOf(original))) {
      const piece = readPiece(raw);
      addPiece(piece, piece.isNumber && isInDate(index));
    }
  }
  if (numbers !== "in digits") addSpelledNumbers(words, values);
  values.delete("");
  return { words, values };
}

/** A bracket at its end may be the sentence's. */
function addLink(link: string, values: Set<string>): void {
  const whole = link.replace(AFTER_LINK, "");
  for (const address of [whole, whole.replace(/[)\]}]+$/, "").replace(AFTER_LINK, "")])
    for (const form of statedWebForms(address)) values.add(form);
}

/** "ann at example dot com" states the address. */
function addSpelledAddresses(text: string, values: Set<string>): void {
  const shown = withoutSpelling(text);
  if (shown === text) return;
  for (const chunk of shown.match(CHUNKS) ?? []) {
    if (!/[@.]/.test(chunk) || chunk.length > LONGEST_PIECE) continue;
    const piece = chunk.replace(EDGES, "");
    values.add(piece);
    for (const form of statedWebForms(piece)) values.add(form);
  }
}

const PLAIN_WORD = /^\p{L}+$/u;

function formsOfPiece(piece: string, word: string): readonly string[] {
  const glued = GLUED.exec(piece)?.[1];
  return [
    word.replace(POSSESSIVE, ""),
    word.replace(/^[#@]/, ""),
    ...statedWebForms(piece),
    ...compactForms(word),
    ...(glued === undefined ? [] : [glued.toLowerCase(), ...statedWebForms(glued)]),
    ...(WORDS_WITH_SLASHES.test(word) ? word.split("/") : []),
  ];
}

function addSpelledNumbers(words: readonly string[], values: Set<string>): void {
  for (let at = 0; at < words.length; at += 1) {
    const scaled = readScaledWord(words[at] ?? "", words[at + 1]);
    if (scaled !== undefined) values.add(numberForm(scaled));
    const spelled = readSpelled(words, at);
    if (spelled === undefined) continue;
    values.add(numberForm(spelled.value));
    at += spelled.length - 1;
  }
}

/** For places asked about in ascending order. */
function createSpanTest(spans: readonly DateSpan[]): (place: number) => boolean {
  const sorted = spans.toSorted((a, b) => a.start - b.start);
  let at = 0;
  return (place) => {
    while ((sorted[at]?.end ?? Number.POSITIVE_INFINITY) <= place) at += 1;
    return (sorted[at]?.start ?? Number.POSITIVE_INFINITY) <= place;
  };
}
