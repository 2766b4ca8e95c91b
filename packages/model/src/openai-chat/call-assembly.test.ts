import * as fc from "fast-check";
import { expect, test } from "vitest";
import { assembleCalls } from "./call-assembly.ts";
import { type CallFragment, readCallFragments } from "./call-fragment.ts";

interface Call {
  readonly name: string;
  readonly json: string;
}

/** How a server streams calls; `none` is what it sends for “no arguments”. */
interface Style {
  readonly index: "counted" | "zero" | "missing";
  readonly id: "once" | "every" | "missing";
  readonly name: "once" | "every" | "pieces";
  readonly order: "one_by_one" | "interleaved";
  readonly none: "" | "{}";
}

const styles = fc.record<Style>({
  index: fc.constantFrom("counted", "zero", "missing"),
  id: fc.constantFrom("once", "every", "missing"),
  name: fc.constantFrom("once", "every", "pieces"),
  order: fc.constantFrom("one_by_one", "interleaved"),
  none: fc.constantFrom("", "{}"),
});

const offered = ["run_code", "run", "search_tools", "go", "going"];
const manyCalls = fc.array(
  fc.record({
    name: fc.constantFrom(...offered, "made_up"),
    json: fc.oneof(
      fc.constant("{}"),
      fc.json({ maxDepth: 2 }).map((json) => `{"a":${json}}`),
      fc.constantFrom('{"s":"}{\\"\\\\"}', '{"x":1}', ' {"spaced": [ ] } '),
    ),
  }),
  { minLength: 1, maxLength: 5 },
);
const cuts = fc.infiniteStream(fc.integer({ min: 1, max: 9 }));

type Cuts = Iterator<number>;

function cut(text: string, at: Cuts): readonly string[] {
  const pieces: string[] = [];
  for (let rest = text; rest !== "";) {
    const length = Number(at.next().value);
    pieces.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return pieces;
}

function stream(call: Call, number: number, style: Style, at: Cuts): readonly object[] {
  const pieces = call.json === "{}" ? [style.none] : ["", ...cut(call.json, at)];
  const names = style.name === "pieces" ? cut(call.name, at) : [call.name];
  const heads = names.slice(0, -1).map((name) => ({ name, arguments: "" }));
  const tails = pieces.map((piece, n) => {
    const isNamed = n === 0 || style.name === "every";
    return isNamed ? { name: n === 0 ? names.at(-1) : call.name, arguments: piece } : { arguments: piece };
  });
  const index = style.index === "missing" ? {} : { index: style.index === "zero" ? 0 : number };
  return [...heads, ...tails].map((called, n) => {
    const hasId = style.id === "every" || (style.id === "once" && n === 0);
    return Object.assign({ function: called }, index, hasId ? { id: `id_${number}` } : {});
  });
}

function* interleave(streams: readonly (readonly object[])[]): Iterable<object> {
  const most = Math.max(...streams.map(({ length }) => length));
  for (let n = 0; n < most; n++) yield* streams.flatMap((one) => one.slice(n, n + 1));
}

/** Cases in which the same fragments can be read in two ways. */
function isHopeless(calls: readonly Call[], style: Style): boolean {
  if (style.index === "counted" || style.id === "every") return false;
  if (style.order === "interleaved") return true;
  if (style.id === "once") return false;
  // Some servers send each call twice.
  const isEachTwice = calls.every((call, n) => n % 2 === 0 || isSame(call, calls[n - 1]));
  if (isEachTwice && calls.length % 2 === 0) return true;
  if (style.name !== "pieces") return false;
  // Pieces of a name are recognized by the tools offered, and may belong to a call without arguments.
  const isTold = calls.every(({ json }) => json !== "{}" || style.none === "{}");
  return !isTold || (style.index === "missing" && calls.some(({ name }) => !offered.includes(name)));
}

const isSame = (a: Call, b: Call | undefined): boolean => a.name === b?.name && a.json === b.json;

function inChunks(fragments: readonly object[], { id, name }: Style, at: Cuts): readonly CallFragment[] {
  // In one chunk, a name that comes again without an id is another call.
  const mayShare = id !== "missing" || name === "once";
  let chunk = 0;
  return fragments.flatMap((fragment) => {
    if (!mayShare || Number(at.next().value) > 4) chunk += 1;
    return readCallFragments({ tool_calls: [fragment] }, chunk);
  });
}

const show = (drafts: ReturnType<typeof assembleCalls>): readonly unknown[] =>
  drafts.map(({ name, json }) => [name, JSON.parse(json === "" ? "{}" : json)]);

test("[W17] assembles the same calls from any fragments", () => {
  fc.assert(
    fc.property(manyCalls, styles, cuts, (given, style, at) => {
      fc.pre(!isHopeless(given, style));
      const streams = given.map((call, n) => stream(call, n, style, at));
      const fragments = style.order === "interleaved" ? [...interleave(streams)] : streams.flat();
      const drafts = assembleCalls(inChunks(fragments, style, at), offered);
      expect(show(drafts)).toEqual(given.map(({ name, json }) => [name, JSON.parse(json)]));
    }),
    { numRuns: 3_000 },
  );
});

const fragment = (id: string, name: string, json: string, chunk = 0): CallFragment => ({
  chunk,
  index: undefined,
  id,
  name,
  json,
});

test.each<[what: string, fragments: readonly CallFragment[], calls: readonly string[]]>([
  ["two calls without arguments, in one chunk", [fragment("a", "f", ""), fragment("b", "g", "")], ["f", "g"]],
  ["the same twice, in one chunk", [fragment("", "f", '{"x":1}'), fragment("", "f", '{"x":1}')], ["f", "f"]],
  ["the same twice, with ids", [fragment("a", "f", "{}"), fragment("b", "f", "{}", 1)], ["f", "f"]],
  ["the same twice, one chunk after the other", [fragment("", "f", "{}"), fragment("", "f", "{}", 1)], ["f"]],
  ["broken arguments, then another call", [fragment("", "f", '{"x'), fragment("", "g", "{}", 1)], ["f", "g"]],
  ["broken arguments, then another id", [fragment("a", "f", '{"x'), fragment("b", "f", "{}", 1)], ["f", "f"]],
  ["an id for every piece", [fragment("a", "f", '{"x'), fragment("b", "f", '":1}', 1)], ["f"]],
])("[W17] %s", (_what, fragments, names) => {
  expect(assembleCalls(fragments, []).map(({ name }) => name)).toEqual(names);
});

test("[W17] assembles long arguments from many pieces in linear time", () => {
  const pieces = Array.from({ length: 100_000 }, () => fragment("", "", "{}{}{}{}"));
  const [draft] = assembleCalls([fragment("a", "f", '{"code":"'), ...pieces, fragment("", "", '"}')], []);
  expect(draft?.json).toHaveLength(800_011);
});
