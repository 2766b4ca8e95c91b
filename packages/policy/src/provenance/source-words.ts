import { remembered } from "../remembered.ts";
import { DATE } from "./find-accounts.ts";
import { singularOf } from "./kinds/kind.ts";
import { wordsOfName } from "./words-of-name.ts";

/** Who used which words: what a read may carry to a service depends on who knows them already. */
export interface SourceWords {
  /** In small steps, as a text may be long. `name`: that of the field it stands in. */
  addSteps(text: string, from: WordSource, name?: string): Iterable<void>;
  /** How the user used a word. */
  saidOf(word: string, before: string | undefined): WordUse;
  /** How this tool's own service used a word. */
  ownOf(toolPath: string, word: string, before: string | undefined): WordUse;
  /** Who else used a word, with `before` right behind that; undefined if nobody did. */
  holderOf(word: string, toolPath: string, before?: string): string | undefined;
  /**
   * Whose code it is, if somebody else has it, and neither the user nor this tool's service does. A code that its owner
   * only calls by one of these nouns ("flight LH1234") is no secret where such a thing is asked for.
   */
  ownerOf(code: string, toolPath: string, nouns: readonly string[]): string | undefined;
  /** True if nobody has a code, and the user and this tool's service do not have all its parts either. */
  isUnheard(code: string, toolPath: string): boolean;
  /** True if anybody but the user and this tool's own service has said something. */
  hasOthers(toolPath: string): boolean;
}

export interface WordUse {
  readonly times: number;
  /** True if it stood right behind the word before it. */
  readonly isNext: boolean;
  /** How many different words it could have been. */
  readonly among: number;
}

export interface WordSource {
  /** Undefined for the user. */
  readonly source: string | undefined;
  /** The tool that gave it, if one did. */
  readonly toolPath?: string | undefined;
}

/** A text as it is weighed before a read carries it away. */
export interface WeighedText {
  /** In lower case and plain letters. */
  readonly words: readonly string[];
  readonly codes: readonly Code[];
  /** Characters that are part of no word and do not just separate two. */
  readonly loose: number;
}

/** A long number, or letters mixed with digits: worth something only as a whole, as a card's number or a password is. */
export interface Code {
  readonly text: string;
  /** The words right before it: what it is a number of. */
  readonly names: readonly string[];
}

const SLICE_CHARS = 32 * 1024;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const WORD_WITH_DIGIT = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}]*\p{N}[\p{L}\p{M}\p{N}]*/gu;
const PARTS = /[\p{L}\p{M}]+|\p{N}+/gu;
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}]/gu;
const LINE_ENDS = /[\t\n\r]/g;
/** Six digits and more, however they are grouped; with the letters that an account begins with. */
const DIGITS =
  /(?<![\p{L}\p{N}])(?:[a-z]{2}\d{2}(?:[ .-]?[a-z]{4})?|\+?\d)(?:[ ()./-]{0,2}\d){4,}(?![\p{L}\p{N}])/gu;
const DECIMAL = /^[-+]?\d+\.\d+$/;
const FEWEST_DIGITS = 6;
/** Letters and digits mixed: `xy7qp`, not `q3`. */
const MIXED = /^(?=.*\p{L})(?=.*\p{N}).{5,}$/u;
/** Letters and digits mixed for so long are no word and no name. */
const FEWEST_IN_RANDOM = 8;
/** A word with its number: `email001`, `ubuntu2204`. */
const NUMBERED_WORD = /^\p{L}+\d{1,4}$/u;
/** One character by one, with blanks between. */
const SPELLED = /(?<!\S)\S(?:\s{1,4}\S){4,}(?!\S)/gu;
/** A sum is written with blanks, too. */
const ARITHMETIC = /^[\d+*/^().,=-]+$/;
const MOMENT = /\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)?(?:z|[+-]\d{2}:?\d{2})?/g;

const NAMING_CHARS = 40;
const NAMING_WORDS = 3;

export function weighText(text: string): WeighedText {
  const composed = composedOf(text);
  const plain = plainOf(composed);
  const hidden = Math.max(0, composed.length - plain.length);
  const words = plain.match(WORD) ?? [];
  const blanks = plain.length - words.reduce((sum, word) => sum + word.length, 0);
  // One sign and one blank stand between two words, whatever they are.
  return { words, codes: codesOf(plain), loose: hidden + Math.max(0, blanks - 2 * words.length) };
}

function composedOf(text: string): string {
  return text.replaceAll(LINE_ENDS, " ").normalize("NFKC");
}

function plainOf(composed: string): string {
  return composed.replaceAll(IGNORABLE, "").toLowerCase();
}

/**
 * The codes of a text that is about to be sent, also where it spells them. `isRandom`: it can only be a code, whoever
 * has it.
 */
export function codesToSend(text: string): readonly { readonly text: string; readonly isRandom: boolean }[] {
  const plain = plainOf(composedOf(text));
  const spelled = plain.replaceAll(SPELLED, (run) => run.replaceAll(/\s/g, ""));
  const runs = (plain.match(SPELLED) ?? [])
    .map((run) => run.replaceAll(/\s/g, ""))
    .filter((run) => /\d/.test(run) && !ARITHMETIC.test(run));
  const codes = new Set([...codesOf(plain), ...codesOf(spelled)].map((code) => code.text));
  return [...new Set([...codes, ...runs])].map((code) => ({
    text: code,
    isRandom: code.length >= FEWEST_IN_RANDOM && /\D/.test(code) && !NUMBERED_WORD.test(code),
  }));
}

function codesOf(plain: string): readonly Code[] {
  if (!/\d/.test(plain)) return [];
  const codes: Code[] = [];
  const add = (text: string, start: number): void => {
    const before = plain.slice(Math.max(0, start - NAMING_CHARS), start).match(WORD) ?? [];
    codes.push({ text, names: before.slice(-NAMING_WORDS).map(singularOf) });
  };
  for (const { 0: word, index } of plain.matchAll(WORD_WITH_DIGIT)) if (MIXED.test(word)) add(word, index);
  const undated = plain.replaceAll(DATE, blank).replaceAll(MOMENT, blank);
  for (const { 0: run, index } of undated.matchAll(DIGITS)) {
    const compact = run.replaceAll(/[^\p{L}\p{N}]/gu, "");
    if (compact.replaceAll(/\D/g, "").length >= FEWEST_DIGITS && !DECIMAL.test(run)) add(compact, index);
  }
  return codes;
}

function blank(text: string): string {
  return "|".repeat(text.length);
}

/** A text without its dates and times, and these: everybody's calendar has them. */
export function takeMoments(text: string): { readonly rest: string; readonly moments: readonly string[] } {
  const moments: string[] = [];
  const rest = text.replaceAll(new RegExp(MOMENT, "gi"), (moment) => {
    moments.push(moment);
    return "";
  });
  return { rest, moments };
}

/** What one source said. */
interface Known {
  readonly source: string;
  readonly counts: Map<string, number>;
  /** Which word stood behind which, as `pairOf`. */
  readonly pairs: Set<number>;
  /** What each code was called, every time. */
  readonly codes: Map<string, readonly string[]>;
  /** Short texts, each with the name of its field. */
  readonly texts: Set<string>;
}

/** Longer texts are hardly ever the same, and would be kept for nothing; so would more of them. */
const LONGEST_REPEATED = 200;
const MOST_REPEATED = 10_000;

/** A list has the same keys and states in every row: once is enough. */
function isRepeated({ texts }: Known, text: string, name: string): boolean {
  if (text.length > LONGEST_REPEATED) return false;
  const key = `${name}\n${text}`;
  if (texts.has(key)) return true;
  if (texts.size < MOST_REPEATED) texts.add(key);
  return false;
}

export function createSourceWords(): SourceWords {
  const said: Known = nothingOf("");
  const spaces = new Map<string, Known>();

  const wordsOf = ({ source, toolPath }: WordSource): Known => {
    if (source === undefined) return said;
    const space = spaceOf(toolPath ?? source);
    const known = spaces.get(space) ?? nothingOf(source);
    spaces.set(space, known);
    return known;
  };

  const hear = ({ counts, pairs, codes: knownCodes }: Known, text: string, name: string): void => {
    const { words, codes } = weighText(text);
    let before: number | undefined;
    for (const word of words) {
      counts.set(word, (counts.get(word) ?? 0) + 1);
      const hash = hashOf(word);
      if (before !== undefined) pairs.add(pairOf(before, hash));
      before = hash;
    }
    if (codes.length === 0) return;
    const fieldNames = wordsOfName(name).map(singularOf);
    for (const { text: code, names } of codes) {
      const called = names.concat(fieldNames);
      const earlier = knownCodes.get(code);
      knownCodes.set(code, earlier?.filter((one) => called.includes(one)) ?? called);
    }
  };

  const useOf = (known: Known | undefined, word: string, before: string | undefined): WordUse => ({
    times: known?.counts.get(word) ?? 0,
    isNext: before !== undefined && known?.pairs.has(pairOf(hashOf(before), hashOf(word))) === true,
    among: known?.counts.size ?? 0,
  });

  return {
    *addSteps(text, from, name = "") {
      const known = wordsOf(from);
      if (from.source !== undefined && isRepeated(known, text, name)) return;
      for (let start = 0; start < text.length; start += SLICE_CHARS) {
        hear(known, text.slice(start, start + SLICE_CHARS), name);
        yield;
      }
    },
    saidOf: (word, before) => useOf(said, word, before),
    ownOf: (toolPath, word, before) => useOf(spaces.get(spaceOf(toolPath)), word, before),
    holderOf(word, toolPath, before) {
      const own = spaceOf(toolPath);
      for (const [space, known] of spaces) {
        if (space === own || !known.counts.has(word)) continue;
        if (before === undefined || known.pairs.has(pairOf(hashOf(before), hashOf(word))))
          return known.source;
      }
      return undefined;
    },
    ownerOf(code, toolPath, nouns) {
      const own = spaceOf(toolPath);
      if (said.codes.has(code) || spaces.get(own)?.codes.has(code) === true) return undefined;
      for (const { source, codes } of spaces.values()) {
        const names = codes.get(code);
        if (names !== undefined && !nouns.some((noun) => names.includes(noun))) return source;
      }
      return undefined;
    },
    isUnheard(code, toolPath) {
      if ([said, ...spaces.values()].some(({ codes }) => codes.has(code))) return false;
      const own = spaces.get(spaceOf(toolPath));
      return (code.match(PARTS) ?? []).some(
        (part) => !said.counts.has(part) && own?.counts.has(part) !== true,
      );
    },
    hasOthers: (toolPath) => [...spaces.keys()].some((space) => space !== spaceOf(toolPath)),
  };
}

function nothingOf(source: string): Known {
  return { source, counts: new Map(), pairs: new Set(), codes: new Map(), texts: new Set() };
}

/** A number for two words, so that a million pairs take some megabytes; two pairs hardly ever have the same. */
function pairOf(first: number, second: number): number {
  return Math.imul(first ^ (second >>> 15), 0x85_eb_ca_6b) ^ Math.imul(second, 0xc2_b2_ae_35);
}

function hashOf(word: string): number {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < word.length; at += 1) hash = Math.imul(hash ^ word.charCodeAt(at), 0x01_00_01_93);
  return hash;
}

/** The service that a tool belongs to. What no tool gave is its own. */
const spaceOf = remembered((source: string): string =>
  (/\s/.test(source) ? source : (source.split(".")[0] ?? "")).toLowerCase(),
);
