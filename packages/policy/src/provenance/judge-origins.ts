import type { Origin, Origins } from "../origins.ts";
import { nameEffect } from "../inference/name-effect.ts";
import type { PolicyTool } from "../policy.ts";
import { chosenDeeds } from "./chosen-deeds.ts";
import { isContentName } from "./content-names.ts";
import { type DeclaredInput, readDeclaredInput } from "./declared-input.ts";
import { describeDeclined, describeOrigin, describeSending, describeUnsaid } from "./describe-origin.ts";
import { findCarriers } from "./find-carriers.ts";
import { type InputLeaf, inputLeaves } from "./input-leaves.ts";
import { type ArgumentPlace, isIdLike, saysOnlyId, singularOf } from "./kinds/kind.ts";
import { readLiveText } from "./live-text.ts";
import { type Sent, sentByRead } from "./sent-by-read.ts";
import {
  decidesTarget,
  isCommandName,
  isCurrencyName,
  isFigure,
  isWaived,
  mayBeName,
  namesSum,
  scalesSum,
  wideningWords,
} from "./who-is-reached.ts";
import { readNumeral } from "./read-number.ts";
import { namesOfAnother } from "./names-of-another.ts";
import { readSelectors } from "./kinds/selectors.ts";
import { swappedEnds } from "./swapped-ends.ts";
import { isExplained, type TracedLeaf, traceLeaf } from "./trace-leaf.ts";
import { wordsOfName } from "./words-of-name.ts";
import type { OriginFinding } from "./origin-finding.ts";

export type JudgeOrigins = (request: OriginRequest) => readonly OriginFinding[];

export interface OriginRequest {
  readonly tool: PolicyTool;
  readonly input: unknown;
  readonly origins: Origins;
  /** True of a value that the user saw and approved for this tool; absent: none was. */
  readonly isApproved?: (leaf: InputLeaf) => boolean;
}

/**
 * The values of a call that nothing the user said or trusts explains; of a read, what it would send elsewhere.
 * Empty when there are none, and before any untrusted text was read. Pure, never throws. What counts as explained:
 * `docs/decisions/0010-provenance.md`.
 */
export function judgeOrigins(request: OriginRequest): readonly OriginFinding[] {
  const { tool, input, origins, isApproved = () => false } = request;
  if (origins.untrusted.length === 0) return [];
  if (tool.effect === "read")
    return sentByRead(tool, input, origins, isApproved).map((sent) => sendingOf(sent, tool));
  // What it changes is reviewed before it counts.
  if (tool.isLocal === true && tool.effect === "write" && tool.critical.length === 0) return [];
  const declared = readDeclaredInput(tool.inputSchema);
  const places = new Map<readonly string[], ArgumentPlace>();
  // The elements of a list stand in one place, and what is asked about that is looked up once.
  const all = inputLeaves(input, declared.isDeclared).flatMap(partsOf);
  const deeds = all.flatMap((leaf) =>
    typeof leaf.value === "string" ? chosenDeeds(leaf, tool.path).flat() : [],
  );
  const selectors = readSelectors(all, tool.path);
  const placeOf = (leaf: InputLeaf): ArgumentPlace => {
    const { name, names } = leaf;
    const known = places.get(names) ?? {
      name: nameWithKind(names),
      toolPath: tool.path,
      declared: declared.kindOf(name) ?? selectors.kindOf(leaf),
      effect: tool.effect,
      ...(deeds.length > 0 ? { deeds } : {}),
      ...(all.length === 1 ? { isOnly: true } : {}),
    };
    places.set(names, known);
    return known;
  };
  const leaves = all.filter((leaf) => !declared.isDefault(leaf.argument, leaf.value) && !isApproved(leaf));
  const decides = (leaf: InputLeaf): boolean =>
    tool.critical === "all" ||
    leaf.argument === "" ||
    tool.critical.includes(leaf.argument) ||
    decidesTarget(leaf, tool, declared) ||
    (chosenDeeds(leaf, tool.path).length > 0 && !isWaived(leaf, tool, declared)) ||
    wideningWords(leaf, declared) !== undefined;
  // Of what kind something is, is said with its id.
  const isCritical = (leaf: InputLeaf): boolean =>
    decides(leaf) && !selectors.idsOf(leaf).some(decides) && !isSaidReason(leaf, tool, declared, origins);
  const found = leaves.filter(isCritical).map((leaf): TracedLeaf => ({
    leaf,
    origin: traceLeaf(leaf, { placeOf, declared, tool, all }, origins),
  }));
  const taken = namesOfAnother(found, placeOf, declared, origins);
  const swapped = swappedEnds(found, origins);
  const critical = found.map((one) => (taken.has(one) || swapped.has(one) ? invented(one.leaf) : one));
  const others = leaves.filter((leaf) => !isCritical(leaf));
  const isLook = tool.effect === "egress" && leaves.length === 1 && isLooking(nameEffect(tool.path).kind);
  const content = others.flatMap((leaf) => {
    const place = { ...placeOf(leaf), use: "content" as const };
    const isExtra = !declared.isRequired(leaf.argument) && !declared.isOffered(leaf.value);
    const isName = isExtra && mayBeName(leaf) && (tool.effect !== "write" || isCode(leaf));
    const isFree = isWaived(leaf, tool, declared);
    const isSum = !isFree && (namesSum(leaf) || scalesSum(leaf, all));
    return traceContent(leaf, place, { isName, isFree, isSum, effect: tool.effect }, origins);
  });
  const unexplained = critical.filter(
    (traced) => !isSettled(traced, tool, placeOf(traced.leaf), { isLook, deeds }, origins),
  );
  const excused = excuse(tool, unexplained, { critical, others }, placeOf, origins);
  const findings = [...unexplained.filter((traced) => traced !== excused), ...content];
  if (findings.length > 0) return findings.map((traced) => findingOf(traced, origins));
  const decisive = (critical.length > 0 ? critical.map(({ leaf }) => leaf) : others).map((leaf) => ({
    argument: leaf.argument,
    value: leaf.value,
    place: placeOf(leaf),
  }));
  if (decisive.length > 0 && origins.isDeclined(tool.path, decisive)) return [declined(tool)];
  if (all.some(isApproved)) return [];
  return isSaidAtAll(tool, critical, excused, others, origins) ? [] : [unsaid(tool, origins)];
}

/**
 * True if a critical value needs no question. What nobody vouches for always needs one. A value that a trusted
 * source knows may have been chosen by someone else: so the user's words must pick it out, for what reaches
 * outward and for ids; for what destroys, by its whole name, and they must ask for that.
 */
function isSettled(
  { leaf, origin }: TracedLeaf,
  { effect, path }: PolicyTool,
  place: ArgumentPlace,
  { isLook, deeds }: { readonly isLook: boolean; readonly deeds: readonly string[] },
  origins: Origins,
): boolean {
  if (origin.kind === "untrusted" && origin.writer !== undefined && isLook) return true;
  // To ask about a page is to ask for a look at it.
  if (isLook && origins.trace(leaf.value, { ...place, use: "look" }).kind === "user") return true;
  if (!isExplained(origin)) return false;
  // All mails are to be forwarded, but not to whoever sent one of them.
  const isOneOfAll = origin.kind !== "trusted" || origin.isOfKind === true || isIdLike(leaf.value, leaf.name);
  const isForAll = (): boolean =>
    isOneOfAll &&
    effect !== "read" &&
    origins.asksForAll({ effect, toolPath: path, argument: leaf.name }, leaf.value, place);
  if (effect === "destructive") {
    if (isForAll()) return true;
    const isMeant = origin.kind !== "trusted" || origin.named === "whole";
    return (
      isMeant &&
      (isDictated(leaf, path) ||
        typeof leaf.value === "boolean" ||
        // `power({ action: "stop" })` is asked for by "stop", of this.
        (origin.kind === "user" && chosenDeeds(leaf, path).length > 0) ||
        origins.asksToDestroy(leaf.value, place, origin, deeds))
    );
  }
  if (isChosen(origin) || isForAll()) return true;
  return effect === "write" && origin.kind === "trusted" && origin.isOfKind === true && isSorted(leaf);
}

/** True of what the user said or picked out. */
function isChosen(origin: Origin): boolean {
  return origin.kind !== "trusted" || origin.named !== undefined;
}

/** True of where a thing is sorted in: a label, a category. It affects nothing else than that thing. */
function isSorted({ value, name }: InputLeaf): boolean {
  return (
    wordsOfName(name).some((word) => SORTS.has(word)) &&
    typeof value === "string" &&
    !isIdLike(value, name) &&
    findCarriers(value).length === 0
  );
}

const SORTS: ReadonlySet<string> = new Set(
  "label labels tag tags category categories genre topic topics color colour".split(" "),
);

/** An `id` is one of what it stands under: the `folder` in `{ folder: { id } }`. */
function nameWithKind(names: readonly string[]): string {
  const own = names.at(-1) ?? "";
  const under = names.at(-2);
  return under !== undefined && saysOnlyId(own) ? `${under}_${own}` : own;
}

/** Ids in one text, "1, 13", are several values. */
function partsOf(leaf: InputLeaf): readonly InputLeaf[] {
  const { value, name } = leaf;
  if (typeof value !== "string") return [leaf];
  const parts = [...new Set(value.split(/[,;\n\t]+/).map((part) => part.trim()))];
  if (!/[,;\n\t]/.test(value) || !parts.every((part) => isIdLike(part, name))) return [leaf];
  const { path, argument, names } = leaf;
  return parts.map((part) => ({ path, argument, name, names, value: part }));
}

/** Letters with digits in one word, as things are numbered. */
function isCode({ value }: InputLeaf): boolean {
  return typeof value === "string" && /^(?=.*\d)(?=.*\p{L})[\p{L}\d_-]+$/u.test(value.trim());
}

/** A whole phrase of the user's says what is to be done by itself, as a command does; in place of a name, it says nothing. */
function isDictated({ name, value }: InputLeaf, toolPath: string): boolean {
  if (typeof value !== "string") return false;
  // The comment that is to be hidden is no text.
  const isThing = wordsOfName(toolPath).map(singularOf).includes(singularOf(name));
  if (!isCommandName(name) && (isThing || !isContentName(name))) return false;
  return value.trim().split(/\s+/).length > 2;
}

/**
 * The one place that the user left open in an outward call whose other values are theirs: "find the channel with
 * the most users, and post there: …". Not if their words name something that could stand there, nor for an id; what
 * they only compared is one of the things that a source lists as such.
 */
function excuse(
  { effect }: PolicyTool,
  unexplained: readonly TracedLeaf[],
  { critical, others }: { readonly critical: readonly TracedLeaf[]; readonly others: readonly InputLeaf[] },
  placeOf: (leaf: InputLeaf) => ArgumentPlace,
  origins: Origins,
): TracedLeaf | undefined {
  const [open, ...more] = unexplained;
  if (effect !== "egress" || open?.origin.kind !== "trusted" || more.length > 0) return undefined;
  if (isIdLike(open.leaf.value, open.leaf.name) || open.origin.isOfKind !== true) return undefined;
  // No channel is called by an address among other words; whoever named it so wants it used.
  const text = String(open.leaf.value).trim();
  if (findCarriers(text).some((carrier) => carrier !== text)) return undefined;
  const wish = origins.wishFor(open.leaf.value, placeOf(open.leaf));
  if (wish === "named") return undefined;
  if (others.some(({ value }) => typeof value === "string" && origins.echoes(value))) return open;
  return wish === "compared" && critical.length > 1 ? open : undefined;
}

function isLooking(kind: string): boolean {
  return kind === "read" || kind === "browse";
}

/** Why something is done, of those reasons that the tool offers, in a word of the user's: "they don't need it any more". */
function isSaidReason(
  { name, value }: InputLeaf,
  { path }: PolicyTool,
  declared: DeclaredInput,
  origins: Origins,
): boolean {
  if (typeof value !== "string" || !wordsOfName(name).includes("reason") || !declared.isOffered(value))
    return false;
  const things = new Set(wordsOfName(path).map(singularOf));
  // "Cancel the order" is no word of "ordered by mistake".
  const stems = wordsOfName(value).flatMap((word) =>
    word.length < SHORTEST_REASON ? [] : [word, word.replace(/(?:ed|ing)$/, "")],
  );
  return stems.some(
    (word) =>
      !things.has(word.replace(/(?:ed|ing)$/, "")) &&
      origins.trace(word, { ...WITHIN_TEXT, name }).kind === "user",
  );
}

const SHORTEST_REASON = 4;
const WITHIN_TEXT = { toolPath: "", use: "content" } as const;

/** A call without any value of the user's is nobody's wish. */
function isSaidAtAll(
  tool: PolicyTool,
  critical: readonly TracedLeaf[],
  excused: TracedLeaf | undefined,
  others: readonly InputLeaf[],
  origins: Origins,
): boolean {
  if (tool.effect === "write")
    return critical.length === 0 ? tool.critical !== "all" : critical.some(({ origin }) => isChosen(origin));
  if (excused !== undefined || critical.some(({ leaf }) => typeof leaf.value !== "boolean")) return true;
  return (
    tool.effect === "egress" && others.some(({ value }) => typeof value === "string" && origins.echoes(value))
  );
}

function unsaid({ path }: PolicyTool, origins: Origins): OriginFinding {
  const words = describeUnsaid(path, origins.untrusted);
  return { path: "", value: path, origin: { kind: "invented" }, words };
}

function declined({ path }: PolicyTool): OriginFinding {
  return { path: "", value: path, origin: { kind: "invented" }, words: describeDeclined(path) };
}

/**
 * What is wrong with a value that is not critical: it leads somewhere, it gives away the number of an account, or it is a
 * number or a name that untrusted text has.
 */
function traceContent(
  leaf: InputLeaf,
  place: ArgumentPlace,
  {
    isName,
    isFree,
    isSum,
    effect,
  }: {
    readonly isName: boolean;
    readonly isFree: boolean;
    readonly isSum: boolean;
    readonly effect: PolicyTool["effect"];
  },
  origins: Origins,
): readonly TracedLeaf[] {
  const { value } = leaf;
  if (typeof value === "boolean") return isFree || !isContrary(leaf, origins) ? [] : [invented(leaf)];
  if (isSum) {
    const { use: _, ...acting } = place;
    const origin = origins.trace(value, acting);
    const isTheirs =
      isExplained(origin) &&
      (origin.kind !== "trusted" || origin.named !== undefined || isCurrencyName(leaf.name));
    if (!isTheirs && !mayBeComputed(value, origin, place, origins)) return [{ leaf, origin }];
  }
  if (isFigure(value) || isName) {
    const asked = origins.trace(value, place);
    // The id of something of another kind is no such thing here, but somebody chose it.
    const origin = asked.kind === "invented" && isName && isCode(leaf) ? origins.trace(value) : asked;
    if (origin.kind === "untrusted") return [{ leaf, origin }];
    if (isName && !isFree && origin.kind === "trusted" && origin.named === undefined)
      return [{ leaf, origin }];
  }
  if (typeof value === "number") return [];
  const carriers = findCarriers(value).map((carrier) => ({
    leaf: { ...leaf, value: carrier },
    origin: origins.trace(carrier),
  }));
  // Whoever gets such a number can use it: that a source knows it does not say that it may go.
  const given = carriers.filter(
    ({ leaf: { value: number }, origin }) =>
      effect === "egress" &&
      isAccountNumber(number) &&
      origin.kind === "trusted" &&
      !origins.asksToGive(number),
  );
  const unexplained = [
    ...carriers.filter(({ origin }) => !isExplained(origin)),
    ...(effect === "write" || isFree ? [] : traceLiveText(leaf, value, place, origins)),
  ];
  return unexplained.length > 0 && isExplained(origins.trace(value)) ? given : [...unexplained, ...given];
}

const FILLERS: ReadonlySet<string> = new Set("is has should do as be".split(" "));

/** True of a flag that is the opposite of what the user asked for: `draft: false` after "draft a mail". */
function isContrary({ name, value }: InputLeaf, origins: Origins): boolean {
  const words = wordsOfName(name).filter((word) => !FILLERS.has(word));
  return words.length > 0 && origins.says(words, value === true ? "forbidden" : "wanted");
}

function invented(leaf: InputLeaf): TracedLeaf {
  return { leaf, origin: { kind: "invented" } };
}

/** What a text would do where it arrives: tell somebody, tell everybody, or fill in what nobody has seen. */
function traceLiveText(
  leaf: InputLeaf,
  text: string,
  place: ArgumentPlace,
  origins: Origins,
): readonly TracedLeaf[] {
  const { handles, crowds, blanks, closed } = readLiveText(text);
  const told = handles
    .filter(
      (name) =>
        ![name, name.replaceAll(/[_.-]/g, " ")].some((form) => isExplained(origins.trace(form, place))),
    )
    .map((name): TracedLeaf => ({
      leaf: { ...leaf, value: `@${name}` },
      origin: origins.trace(name, place),
    }));
  // "The channel lunch" is no request to call everybody in it.
  const isForEverybody = ["everyone", "everybody"].some((word) => origins.says([word], "wanted"));
  const crowded = (isForEverybody ? [] : crowds)
    .map((name): TracedLeaf => ({ leaf: { ...leaf, value: name }, origin: origins.trace(name, place) }))
    .filter(({ origin }) => origin.kind !== "user");
  const filled = blanks
    .map((blank): TracedLeaf => ({ leaf: { ...leaf, value: blank }, origin: origins.trace(blank, place) }))
    .filter(({ origin }) => origin.kind !== "user" && origin.kind !== "configuration");
  const merged = wordsOfName(place.toolPath).some((word) => MERGED.has(word)) ? closed : [];
  const ended = merged
    .map((id): TracedLeaf => ({ leaf: { ...leaf, value: id }, origin: origins.trace(id) }))
    .filter(({ origin }) => origin.kind !== "user");
  return [...told, ...crowded, ...filled, ...ended];
}

/** Tools whose text closes what it says that it fixes. */
const MERGED: ReadonlySet<string> = new Set("pull pulls pr prs commit commits merge mr push".split(" "));

/** What is to be given need not be said in so many words: "send them the difference". */
function mayBeComputed(
  value: string | number,
  { kind }: Origin,
  place: ArgumentPlace,
  origins: Origins,
): boolean {
  const [sum] = typeof value === "number" ? [value] : readNumeral(value);
  return kind !== "untrusted" && sum !== undefined && origins.mayBeComputed(sum, place);
}

const FEWEST_IN_ACCOUNT = 12;

/** The number of an account or a card, not an address that has digits. */
function isAccountNumber(carrier: string): boolean {
  return !/[@:?#]/.test(carrier) && carrier.replaceAll(/\D/g, "").length >= FEWEST_IN_ACCOUNT;
}

const LONGEST_VALUE = 200;

function sendingOf({ argument: path, text, source }: Sent, { path: toolPath }: PolicyTool): OriginFinding {
  const value = shortened(text);
  const origin: Origin = source === undefined ? { kind: "invented" } : { kind: "untrusted", source };
  return { path, value, origin, words: describeSending({ path, value, origin }, toolPath) };
}

function shortened(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}

function findingOf({ leaf, origin }: TracedLeaf, origins: Origins): OriginFinding {
  const value = shortened(String(leaf.value));
  const { path } = leaf;
  return { path, value, origin, words: describeOrigin({ path, value, origin }, origins.untrusted) };
}
