import fc from "fast-check";
import { expect, test } from "vitest";
import { assembleCalls } from "./call-assembly.ts";
import { type CallFragment, readCallFragments } from "./call-fragment.ts";

interface Call {
  readonly name: string;
  readonly json: string;
}

/** How a server streams calls; `none` for “no arguments” is what it sends for them. */
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

const offered = ["run_code", "run", "search_tools", "go", "gogo"];
const calls = fc.array(
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
  for (let rest = text; rest !== ""; ) {
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
  return [...heads, ...tails].map((called, n) => ({
    function: called,
    ...(style.index !== "missing" && { index: style.index === "zero" ? 0 : number }),
    ...((style.id === "every" || (style.id === "once" && n === 0)) && { id: `id_${number}` }),
  }));
}

function* interleave(streams: readonly (readonly object[])[]): Iterable<object> {
  const most = Math.max(...streams.map(({ length }) => length));
  for (let n = 0; n < most; n++) for (const one of streams) if (one[n] !== undefined) yield one[n];
}

/** What leaves two readings of the same fragments. */
function isHopeless(calls: readonly Call[], style: Style): boolean {
  const isCounted = style.index === "counted";
  if (style.order === "interleaved" && !isCounted && style.id !== "every") return true;
  if (style.id !== "missing" && style.name !== "pieces") return false;
  // Pieces of a name that was never offered are known by an id alone.
  if (style.name === "pieces") return style.id !== "every" || (style.order === "interleaved" && !isCounted);
  if (isCounted) return calls.length === 1 ? false : false;
  // Without index and id, a call without arguments, or the same call again, may be the one before.
  const isTold = calls.every(({ json }, n) => json !== "{}" || style.none === "{}" || n === calls.length - 1);
  const isRepeated = calls.some((call, n) => n % 2 === 1 && sameCall(call, calls[n - 1]));
  return !isTold || isRepeated;
}

const sameCall = (a: Call, b: Call | undefined): boolean => a.name === b?.name && a.json === b.json;

/** Neighbouring fragments in one chunk or in many, as long as no call of the same name is begun twice in it. */
function inChunks(fragments: readonly object[], at: Cuts): readonly CallFragment[] {
  let chunk = 0;
  return fragments.flatMap((fragment) => {
    if (Number(at.next().value) > 4) chunk += 1;
    return readCallFragments({ tool_calls: [fragment] }, chunk);
  });
}

const show = (drafts: ReturnType<typeof assembleCalls>): readonly Call[] =>
  drafts.map(({ name, json }) => ({ name, json: json === "" ? "{}" : json }));

test("[W17] however calls are cut into pieces, the same calls come together", () => {
  fc.assert(
    fc.property(calls, styles, cuts, (given, style, at) => {
      fc.pre(!isHopeless(given, style));
      const streams = given.map((call, n) => stream(call, n, style, at));
      const fragments = style.order === "interleaved" ? [...interleave(streams)] : streams.flat();
      const grouped = style.name === "once" ? at : [][Symbol.iterator]();
      const chunked =
        style.name === "once"
          ? inChunks(fragments, grouped as Cuts)
          : fragments.flatMap((fragment, n) => readCallFragments({ tool_calls: [fragment] }, n));
      expect(show(assembleCalls(chunked, offered))).toEqual(given);
    }),
    { numRuns: 3_000 },
  );
});
