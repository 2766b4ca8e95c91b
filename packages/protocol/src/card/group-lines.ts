import type { CardCall, CardPart } from "../wire/approval-card.ts";
import type { AskedCall, CardDetail } from "./asked-call.ts";
import { phraseOf } from "./card-heading.ts";

/** The calls of a group, and what is said once for all of them. */
interface GroupLines {
  readonly lines: readonly CardCall[];
  /** The names of the values that stand in the titles without them. */
  readonly listed: readonly string[];
  /** The tool's own words. */
  readonly words: readonly CardPart[];
}

const TITLE_CHARS = 200;
const LONGEST_ID = 40;

/**
 * Each call of a group in one line, where that says it all: by the thing that its id stands for (`#12 Crash on start`),
 * or by its own values. Else with the tool's words, and its values below them.
 */
export function toLines(
  calls: readonly AskedCall[],
  shared: ReadonlySet<string>,
  detail: CardDetail,
): GroupLines {
  const ownOf = ({ values }: AskedCall) => [...values].filter(([path]) => !shared.has(path));
  const whole = (call: AskedCall): CardCall =>
    toCall(call, call.title, [
      ...ownOf(call).map(([, value]) => value),
      ...(call.words === undefined ? [] : [call.words]),
    ]);
  if (calls.length === 1 || detail === "whole") return { lines: calls.map(whole), listed: [], words: [] };
  const words = sameWords(calls, shared, ({ words: own }) =>
    own?.left === undefined ? own?.text : undefined,
  );
  const title = sameWords(calls, shared, (call) => call.title);
  const restOf = (call: AskedCall, taken: readonly string[]): readonly CardPart[] => [
    ...ownOf(call)
      .filter(([path]) => !taken.includes(path))
      .map(([, value]) => value),
    ...(call.words === undefined || words !== undefined ? [] : [call.words]),
  ];
  const path = calls[0]?.asked.toolPath ?? "";
  const isSaid = title === undefined || title === path || phraseOf(path, calls.length) !== undefined;
  // What says nothing besides values that are on the card anyway is left out.
  const common = [...(isSaid ? [] : [title]), ...(words === undefined ? [] : [words])]
    .filter((text) => /[\p{L}\p{N}]/u.test(text.replaceAll(/\{[^{}]*\}/g, "")))
    .map((text): CardPart => ({ kind: "words", text }));
  const listed = listedPaths(calls, shared);
  const [id] = listed;
  if (id !== undefined && title !== undefined)
    return {
      lines: calls.map((call) => toCall(call, thingOf(call.values.get(id)), restOf(call, listed))),
      listed: listed.map((place) => calls[0]?.values.get(place)?.name ?? place),
      words: common,
    };
  return {
    lines: calls.map((call) => {
      const told = title === undefined ? undefined : inOneLine(ownOf(call).map(([, value]) => value));
      if (told === undefined) return toCall(call, call.title, restOf(call, []));
      return toCall(call, told, restOf(call, [...call.values.keys()]));
    }),
    listed: [],
    words: common,
  };
}

/** Text that cannot pass for several values: it is a plain word, or JSON. */
export function quoted(text: string): string {
  const isPlain = /^[\p{L}\p{N}_.@:/#+-]+$/u.test(text) || text.startsWith('"');
  return isPlain ? text : JSON.stringify(text);
}

function toCall({ number, asked, files }: AskedCall, title: string, parts: readonly CardPart[]): CardCall {
  const callId = asked.callId === undefined ? {} : { callId: asked.callId };
  return { number, ...callId, title, parts: [...parts, ...files] };
}

/**
 * The argument that tells which thing each call is about, as a tool has shown the things, and the arguments that
 * only repeat what the thing is called.
 */
function listedPaths(calls: readonly AskedCall[], shared: ReadonlySet<string>): readonly string[] {
  const paths = [...(calls[0]?.values.keys() ?? [])].filter((path) => !shared.has(path));
  const valueOf = (call: AskedCall, path: string): CardPart | undefined => call.values.get(path);
  const id = paths.find((path) =>
    calls.every((call) => {
      const value = valueOf(call, path);
      return (
        value?.row !== undefined && /^[\p{L}\p{N}_-]+$/u.test(value.text) && value.text.length <= LONGEST_ID
      );
    }),
  );
  if (id === undefined) return [];
  const isName = (path: string): boolean =>
    calls.every((call) => valueOf(call, path)?.text === valueOf(call, id)?.row?.text);
  return [id, ...paths.filter((path) => path !== id && isName(path))];
}

/** `#31 Login loops`: what a tool called it goes on to the end of the line. */
function thingOf(value: CardPart | undefined): string {
  const { text = "", row } = value ?? {};
  return `${/^\d+$/.test(text) ? "#" : ""}${text} ${row?.text ?? ""}`;
}

/** The values of a call, each with its name, if they fit into one line. */
function inOneLine(values: readonly CardPart[]): string | undefined {
  const isShort = values.every(({ text, row }) => row === undefined && !text.includes("\n"));
  const told = values.map(({ name, text }) => `${name}: ${quoted(text)}`).join(" · ");
  return isShort && told !== "" && told.length <= TITLE_CHARS ? told : undefined;
}

/**
 * Words for all calls of a group, if they differ in nothing but values of the calls, and what ids stand for; these are
 * replaced by names: `POST tracker.example/issues/{number}/close`.
 */
function sameWords(
  calls: readonly AskedCall[],
  shared: ReadonlySet<string>,
  wordsOf: (call: AskedCall) => string | undefined,
): string | undefined {
  const [first, ...others] = calls.map((call) => templateOf(wordsOf(call), call, shared));
  return first === undefined || others.some((other) => other !== first) ? undefined : first;
}

function templateOf(
  words: string | undefined,
  { values }: AskedCall,
  shared: ReadonlySet<string>,
): string | undefined {
  if (words === undefined) return undefined;
  const own = [...values.entries()].filter(([path]) => !shared.has(path));
  if (own.length > 0 && /[{}]/.test(words)) return undefined;
  const texts = own.map(([path, { name = path, text }]) => ({ name, text }));
  const rows = own.map(([path, { name = path, row }]) => ({ name, text: row?.text ?? "" }));
  return [...texts, ...rows]
    .filter(({ text }) => text !== "")
    .toSorted((a, b) => b.text.length - a.text.length)
    .reduce((told, { name, text }) => told.replace(wholeWord(text), () => `{${name}}`), words);
}

function wholeWord(text: string): RegExp {
  const exact = text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}{])${exact}(?![\\p{L}\\p{N}}])`, "gu");
}

/** Calls of one tool that are alike: where most calls have one of a few values, these have the same. */
export interface AlikeCalls {
  readonly calls: readonly AskedCall[];
  readonly mark: "destroys" | "sends" | "differs" | undefined;
}

const RANKS = ["destroys", "sends", "differs", undefined] as const;
/** A value is rare that has no more than this part of the calls that the most frequent one has. */
const RARE_PART = 4;
/** More values than these are no kinds of calls. */
const MOST_KINDS = 4;
/** If there were more groups than these, only what is rare is a group of its own. */
const MOST_GROUPS = 6;

/** The groups of a card: what destroys, sends or differs comes first, and of these what is rare. */
export function groupCalls(calls: readonly AskedCall[]): readonly AlikeCalls[] {
  const byTool = Map.groupBy(calls, ({ asked }) => asked.toolPath);
  return [...byTool.values()]
    .flatMap(groupTool)
    .sort(
      (a, b) =>
        RANKS.indexOf(a.mark) - RANKS.indexOf(b.mark) ||
        a.calls.length - b.calls.length ||
        numberOf(a) - numberOf(b),
    );
}

function groupTool(calls: readonly AskedCall[]): readonly AlikeCalls[] {
  const places = kindPlaces(calls);
  const isRare = (call: AskedCall): boolean =>
    [...places].some(([place, common]) => !common.has(valueAt(call, place)));
  /** Calls with different arguments, or of different reach, never share a group. */
  const signature = (call: AskedCall, of: Iterable<string>): string =>
    JSON.stringify([
      call.asked.preview.effect,
      valueAt(call, ARGUMENTS),
      ...[...of].map((place) => valueAt(call, place)),
    ]);
  const [rare, usual] = [calls.filter(isRare), calls.filter((call) => !isRare(call))];
  const split = Map.groupBy(usual, (call) => signature(call, places.keys()));
  const alike = split.size <= MOST_GROUPS ? split : Map.groupBy(usual, (call) => signature(call, []));
  const odd = Map.groupBy(rare, (call) => signature(call, places.keys()));
  const toGroup = (differs: "differs" | undefined) => (group: readonly AskedCall[]) => ({
    calls: group,
    mark: markOf(group) ?? differs,
  });
  return [...[...odd.values()].map(toGroup("differs")), ...[...alike.values()].map(toGroup(undefined))];
}

/** Stands for which arguments a call has. No path of an input is like it. */
const ARGUMENTS = "\0arguments";

function valueAt({ raw }: AskedCall, place: string): string | undefined {
  return place === ARGUMENTS ? JSON.stringify([...raw.keys()].toSorted()) : raw.get(place);
}

/** The places where more than half of the calls have one of a few values, each with these values. */
function kindPlaces(calls: readonly AskedCall[]): ReadonlyMap<string, ReadonlySet<string | undefined>> {
  const places = new Set([ARGUMENTS, ...calls.flatMap(({ raw }) => [...raw.keys()])]);
  const kinds = new Map<string, ReadonlySet<string | undefined>>();
  for (const place of places) {
    const counts = new Map<string | undefined, number>();
    for (const call of calls) counts.set(valueAt(call, place), (counts.get(valueAt(call, place)) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const common = [...counts].filter(([, count]) => count > 1 && count * RARE_PART > most);
    const covered = common.reduce((sum, [, count]) => sum + count, 0);
    if (covered * 2 > calls.length && common.length <= MOST_KINDS)
      kinds.set(place, new Set(common.map(([value]) => value)));
  }
  return kinds;
}

/** What is not known to be harmless counts as something that sends. */
function markOf([first]: readonly AskedCall[]): "destroys" | "sends" | undefined {
  switch (first?.asked.preview.effect) {
    case "destructive":
      return "destroys";
    case "egress":
      return "sends";
    default:
      return undefined;
  }
}

function numberOf({ calls }: AlikeCalls): number {
  return calls[0]?.number ?? 0;
}
