import type { Origins } from "../origins.ts";
import type { PolicyTool } from "../policy.ts";
import { readDeclaredInput } from "./declared-input.ts";
import { type InputLeaf, inputLeaves } from "./input-leaves.ts";
import { isIdName, kindOfArgument, wordsForKind } from "./kinds/kind.ts";
import { codesToSend, takeMoments, weighText } from "./source-words.ts";

/** Something that a read would send to its service. */
export interface Sent {
  readonly argument: string;
  /** As it stands in the input. */
  readonly text: string;
  /** Whose it is; absent where it is in no text. */
  readonly source?: string;
}

/**
 * What a read may carry that is neither the user's nor its service's own: a name, a topic, an address. It is weighed
 * in characters, over the whole call. How it was chosen: `docs/decisions/0010-provenance.md`.
 */
export const MOST_CARRIED = 40;
/** What a date with its time, a digit, or a number of JSON can tell, in characters. */
const MOMENT_WEIGHT = 4;
const DIGIT_WEIGHT = 0.5;
const NUMBER_WEIGHT = 8;
/** Which of its own words a service is sent tells it something, too: the more, the more words it gave. */
const BITS_OF_CHARACTER = 8;
/** The same of a word that goes on as it did there. */
const NEXT_WEIGHT = 0.5;
/** A word that was there before tells only that it is there again. */
const REPEATED_WEIGHT = 1;
/** Yes, no, or one of what the schema offers. */
const CHOICE_WEIGHT = 0.25;
/** What is beyond this is not looked at: it weighs what it is long. */
const LONGEST_READ = 20_000;
const LONGEST_ID = 12;

interface Weighed {
  readonly leaf: InputLeaf;
  readonly weight: number;
  /** True if a number or password is in it. */
  readonly hasCode: boolean;
  /** Who has that. */
  readonly owner: string | undefined;
  /** Whose words they are for the most part. */
  readonly source: string | undefined;
}

/**
 * What a read would carry from one source to another: its arguments can say as much as a message. The call counts as a
 * whole, with its keys and numbers; what it says in other forms (reversed, encoded, in pieces) weighs as much as plain
 * words, because it is in no text of the user's or of that service.
 */
export function sentByRead(
  tool: PolicyTool,
  input: unknown,
  origins: Origins,
  isApproved: (leaf: InputLeaf) => boolean,
): readonly Sent[] {
  if (tool.isLocal === true || !origins.words.hasOthers(tool.path)) return [];
  const declared = readDeclaredInput(tool.inputSchema);
  const used = new Map<string, number>();
  const weighed = leavesOf(input, declared.isDeclared)
    .filter((leaf) => !isApproved(leaf))
    .map((leaf) =>
      typeof leaf.value === "boolean" || declared.isOffered(leaf.value)
        ? { leaf, weight: CHOICE_WEIGHT, hasCode: false, owner: undefined, source: undefined }
        : weighLeaf({ ...leaf, value: leaf.value }, tool, origins, used),
    );
  const codes = weighed
    .filter(({ hasCode }) => hasCode)
    .map(({ leaf: { argument, value }, owner: source }): Sent =>
      source === undefined ? { argument, text: String(value) } : { argument, text: String(value), source },
    );
  return codes.length > 0 ? codes : heaviest(weighed);
}

/** Every value and every key that somebody chose, those of the input itself, too. */
function leavesOf(input: unknown, isDeclared: (key: string) => boolean): readonly InputLeaf[] {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  const keys = isObject ? Object.keys(input).filter((key) => !isDeclared(key)) : [];
  return [
    ...keys.map((key) => ({ path: `${key} (key)`, argument: key, name: key, names: [key], value: key })),
    ...inputLeaves(input, isDeclared),
    ...(isObject
      ? Object.entries(input).flatMap(([key, value]) => shapesOf(value, key))
      : shapesOf(input, "")),
  ];
}

/**
 * What has no value says something by being there: nulls, empty objects and lists, blank texts, and how things lie in
 * each other. Each is a choice; of a blank text, every character is.
 */
function shapesOf(value: unknown, argument: string): readonly InputLeaf[] {
  const choice: InputLeaf = { path: argument, argument, name: argument, names: [argument], value: false };
  if (typeof value === "string")
    return value.trim() === ""
      ? Array.from({ length: Math.min(value.length, MOST_CARRIED * 8) }, () => choice)
      : [];
  if (typeof value !== "object") return [];
  if (value === null) return [choice];
  const members: readonly unknown[] = Object.values(value);
  return members.length === 0
    ? [choice]
    : [choice, ...members.flatMap((member) => shapesOf(member, argument))];
}

function weighLeaf(leaf: InputLeaf, tool: PolicyTool, origins: Origins, used: Map<string, number>): Weighed {
  const { value } = leaf;
  const { rest, moments } = takeMoments(String(value).slice(0, LONGEST_READ));
  const { words, loose } = weighText(rest);
  const sources = new Map<string, number>();
  let weight = loose + Math.max(0, String(value).length - LONGEST_READ);
  const weigh = (word: string, whole: number, last?: string): void => {
    const before = used.get(word) ?? 0;
    used.set(word, before + 1);
    const said = origins.words.saidOf(word, last);
    const own = origins.words.ownOf(tool.path, word, last);
    const isTheirs = said.isNext || own.isNext;
    // Everybody says "to" and "my"; not one behind the other, as somebody else did.
    const copied = isTheirs || last === undefined ? undefined : origins.words.holderOf(word, tool.path, last);
    if (copied === undefined && before < said.times) return;
    const source = copied ?? origins.words.holderOf(word, tool.path);
    const isKnown = copied === undefined && before < said.times + own.times;
    const isOwn = isKnown && (isTheirs || source === undefined || words.length === 1);
    const choice = own.isNext ? NEXT_WEIGHT : Math.log2(own.among + 1) / BITS_OF_CHARACTER;
    const pair = `${last} ${word}`;
    const isAgain = copied === undefined ? before > 0 : used.has(pair);
    used.set(pair, 1);
    const news = isAgain ? REPEATED_WEIGHT : whole;
    const added = isOwn ? Math.min(source === undefined ? choice : 2 * choice, whole) : news;
    weight += added;
    if (!isOwn && source !== undefined) sources.set(source, (sources.get(source) ?? 0) + added);
  };
  for (const moment of moments) weigh(moment, MOMENT_WEIGHT);
  for (const [at, word] of words.entries())
    weigh(word, /^\d+$/.test(word) ? word.length * DIGIT_WEIGHT : word.length, words[at - 1]);
  if (typeof value === "number") weight = Math.min(weight, NUMBER_WEIGHT);
  const [first] = [...sources].toSorted(([, a], [, b]) => b - a);
  const source = first !== undefined && first[1] * 2 > weight ? first[0] : undefined;
  return { leaf, weight, ...codeIn(rest, leaf, tool, origins), source };
}

/** Whether a text has a code that is held at any length, and whose it is: somebody's, either way round, or nobody's. */
function codeIn(
  text: string,
  leaf: InputLeaf,
  tool: PolicyTool,
  { words }: Origins,
): Pick<Weighed, "hasCode" | "owner"> {
  const codes = codesToSend(text);
  const owner = codes
    .flatMap(({ text: code }) => [code, Array.from(code).toReversed().join("")])
    .map((code) => words.ownerOf(code, tool.path, nounsFor(code, leaf, tool)))
    .find((found) => found !== undefined);
  const isUnheard =
    typeof leaf.value === "string" &&
    codes.some(({ text: code, isRandom }) => isRandom && words.isUnheard(code, tool.path));
  return { hasCode: owner !== undefined || isUnheard, owner };
}

/** By what an id that this argument asks for is called. No id is as long as the number of an account. */
function nounsFor(code: string, { name }: InputLeaf, { path: toolPath }: PolicyTool): readonly string[] {
  if (code.length > LONGEST_ID || !isIdName(name)) return [];
  return ["id", ...wordsForKind(kindOfArgument({ name, toolPath }))];
}

/** The arguments that weigh most, until the others together weigh little enough. */
function heaviest(weighed: readonly Weighed[]): readonly Sent[] {
  const byArgument = new Map<string, Weighed[]>();
  for (const one of weighed) {
    const { argument } = one.leaf;
    byArgument.set(argument, [...(byArgument.get(argument) ?? []), one]);
  }
  const sent: Sent[] = [];
  const sum = (some: readonly Weighed[]): number => some.reduce((all, { weight }) => all + weight, 0);
  let left = sum(weighed);
  for (const [argument, parts] of [...byArgument].toSorted(([, a], [, b]) => sum(b) - sum(a))) {
    if (left <= MOST_CARRIED) break;
    left -= sum(parts);
    const values = parts.filter(({ leaf, weight }) => weight > CHOICE_WEIGHT && leaf.value !== argument);
    const heavy = values.length === 0 ? parts : values;
    const source = heavy.find((part) => part.source !== undefined)?.source;
    const text = heavy.map(({ leaf }) => String(leaf.value)).join(" ");
    sent.push({ argument, text, ...(source === undefined ? {} : { source }) });
  }
  return sent;
}
