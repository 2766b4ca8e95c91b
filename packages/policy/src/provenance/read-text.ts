import { type DateSpan, findDates } from "./read-date.ts";
import { numberForm, readNumeral, readScaledWord, readSpelled } from "./read-number.ts";
import { compactForms, webForms } from "./value-forms.ts";

/** A text as it is compared with values: its words in order, and every value that it states as a whole. */
export interface TextReading {
  readonly words: readonly string[];
  readonly values: ReadonlySet<string>;
}

const NUMBER_WITH_COMMAS =
  /(?<![\p{L}\p{N}.,_/@-])[-−+]?[$€£¥₹]?(?:\d{1,3}(?:[,'’]\d{3})+(?:\.\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d+,\d{1,2})%?(?![\p{L}\p{N}]|[.,]\d)/u;
const CHUNK = /[^\s,;"“”„«»()[\]{}<>|!?`]+/u;
const PIECES = new RegExp(`${NUMBER_WITH_COMMAS.source}|${CHUNK.source}`, "gu");
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
const NO_NUMBERS: readonly number[] = [];
const PAGE = /\.\p{L}.*[/?#]|:\/\//u;

const LONGEST_PIECE = 2_048;
const DIGIT = /\d/;

export interface ReadingOptions {
  /** As for `findDates`. */
  readonly today?: string | undefined;
  /** Whether numbers in words count as values; default true. */
  readonly numbers?: "in words" | "in digits";
}

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
  return [...pieces(text.normalize("NFC"))].map(({ word }) => word);
}

interface Piece {
  readonly text: string;
  readonly word: string;
  readonly numbers: readonly number[];
  readonly place: number;
}

function* pieces(text: string): Generator<Piece> {
  for (const match of text.matchAll(PIECES)) {
    const place = match.index;
    if (PLAIN_LETTERS.test(match[0]) && match[0].length <= LONGEST_PIECE) {
      yield { text: match[0], word: match[0].toLowerCase(), numbers: NO_NUMBERS, place };
      continue;
    }
    // Longer than any address: this is data. It keeps its place, but is not a value.
    if (match[0].length > LONGEST_PIECE) {
      yield { text: "", word: match[0], numbers: [], place };
      continue;
    }
    const piece = match[0].replace(EDGES, "");
    if (piece === "") continue;
    const lower = piece.toLowerCase();
    const numbers = DIGIT.test(lower) ? readNumeral(lower) : [];
    const [number] = numbers;
    // The case of what stands behind a host tells one page from another.
    const [page = lower] = PAGE.test(piece) ? webForms(piece) : [];
    yield { text: piece, word: number === undefined ? page : numberForm(number), numbers, place };
  }
}

/** As `readForm` would. */
function readWholeNumber(text: string): TextReading {
  const form = numberForm(Number(text));
  return { words: [form], values: new Set([text, form, ...compactForms(text)]) };
}

/** The same of a text that is in its form already. */
export function readForm(text: string, { today, numbers }: ReadingOptions): TextReading {
  const lower = text.toLowerCase();
  // Lower case changes a few letters' length: then places are those of the lower-case text alone.
  const original = lower.length === text.length ? text : lower;
  const values = new Set<string>(lower.split(/\s+/));
  const dates = findDates(lower, today);
  for (const { forms } of dates) for (const form of forms) values.add(form);
  if (DIGIT.test(lower))
    for (const [run] of lower.matchAll(SPACED_ACCOUNT))
      for (const form of compactForms(run)) values.add(form);
  if (lower.includes("://"))
    for (const [link] of original.matchAll(LINK)) if (link.length <= LONGEST_PIECE) addLink(link, values);
  const isInDate = createSpanTest(dates);
  const words: string[] = [];
  for (const piece of pieces(original)) {
    words.push(piece.word);
    if (values.has(piece.word) && PLAIN_LETTERS.test(piece.text)) continue;
    if (piece.numbers.length > 0 && isInDate(piece.place)) continue;
    for (const number of piece.numbers) values.add(numberForm(number));
    addForms(piece.text, values);
  }
  if (numbers !== "in digits") addSpelledNumbers(words, values);
  values.delete("");
  return { words, values };
}

/** A bracket at its end may be the sentence's. */
function addLink(link: string, values: Set<string>): void {
  const whole = link.replace(AFTER_LINK, "");
  for (const address of [whole, whole.replace(/[)\]}]+$/, "").replace(AFTER_LINK, "")])
    for (const form of webForms(address)) values.add(form);
}

const PLAIN_WORD = /^\p{L}+$/u;

function addForms(piece: string, values: Set<string>): void {
  const word = piece.toLowerCase();
  values.add(word);
  if (PLAIN_WORD.test(word)) return;
  for (const form of formsOfPiece(piece, word)) values.add(form);
}

function formsOfPiece(piece: string, word: string): readonly string[] {
  const glued = GLUED.exec(piece)?.[1];
  return [
    word.replace(POSSESSIVE, ""),
    word.replace(/^[#@]/, ""),
    ...webForms(piece),
    ...compactForms(word),
    ...(glued === undefined ? [] : [glued.toLowerCase(), ...webForms(glued)]),
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
