import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { LogItem } from "../log/event-log.ts";
import { hydrateResponses } from "./hydrate-responses.ts";
import type { OutputItem } from "../wire/output-item.ts";
import { responseSchema } from "../wire/response.ts";
import type { StreamEvent } from "../wire/stream-event.ts";
import { type End, type PlayedRun, playRun, type Span, type Step, type Written } from "../test/played-run.ts";
import { reduce, tell } from "../test/reduce.ts";

/** Pieces as they come: mostly one after the other, now and then one that repeats the text so far. */
const spansOf = (length: number): fc.Arbitrary<readonly Span[]> =>
  fc.array(fc.tuple(fc.nat(length), fc.boolean()), { maxLength: 6 }).map((cuts) => {
    const ends = cuts.toSorted(([a], [b]) => a - b);
    return [...ends, [length, false] as const].map(([end, whole], index) => {
      return [whole ? 0 : (ends[index - 1]?.[0] ?? 0), end] as const;
    });
  });

const written = <Kind extends "text" | "abandoned">(kind: Kind) =>
  fc
    .tuple(fc.constantFrom<Written>("message", "reasoning"), fc.string({ unit: "binary", maxLength: 30 }))
    .chain(([type, text]) => spansOf(text.length).map((spans) => ({ kind, type, text, spans })));

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: written("text") },
  { weight: 1, arbitrary: written("abandoned") },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("cell"),
      check: fc.constantFrom("fits", "rejected", "retried"),
      approval: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("call"), settled: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("error") }) },
);

function arbitraryRun(...ends: readonly End[]): fc.Arbitrary<PlayedRun> {
  return fc
    .tuple(fc.array(step, { maxLength: 8 }), fc.constantFrom(...ends))
    .map(([steps, end]) => playRun(steps, end));
}

const ended = arbitraryRun("turn.completed", "turn.failed", "turn.aborted");
const anyRun = arbitraryRun("turn.completed", "turn.failed", "turn.aborted", "open");

/** The same events in another order, some of them twice. */
const scrambled = (run: PlayedRun): fc.Arbitrary<readonly [PlayedRun, readonly StreamEvent[]]> => {
  const events = tell(run.live);
  return fc
    .subarray(events)
    .chain((repeated) =>
      fc.shuffledSubarray([...events, ...repeated], { minLength: events.length + repeated.length }),
    )
    .map((order) => [run, order]);
};

test("[P24] any order and number of the same events give the same Response", () => {
  fc.assert(
    fc.property(anyRun.chain(scrambled), ([run, order]) => {
      expect(reduce(order)).toEqual(reduce(tell(run.live)));
    }),
    { numRuns: 500 },
  );
});

test("[P24] two halves known to two clients, told to each other, end in the same Response", () => {
  fc.assert(
    fc.property(anyRun.chain(scrambled), fc.nat(), ([, order], cut) => {
      const middle = cut % (order.length + 1);
      const [left, right] = [order.slice(0, middle), order.slice(middle)];
      expect(reduce([...left, ...right])).toEqual(reduce([...right, ...left]));
    }),
  );
});

test("[P25] a finished run is the same live, from history, and scrambled", () => {
  fc.assert(
    fc.property(ended.chain(scrambled), ([run, order]) => {
      const [history, ...others] = hydrateResponses(run.stored);
      expect(others).toEqual([]);
      expect(reduce(order)).toEqual(history);
      expect(reduce(tell(run.live))).toEqual(history);
    }),
    { numRuns: 500 },
  );
});

test("[P25] every Response fits its schema, through JSON too", () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const response = reduce(tell(run.live));
      expect(responseSchema.parse(JSON.parse(JSON.stringify(response)))).toEqual(response);
    }),
  );
});

test("[P26] a reconnect at any point, from any cursor, makes no difference", () => {
  fc.assert(
    fc.property(anyRun, fc.nat(), fc.nat(), (run, breakAt, cursorBack) => {
      const seen = run.live.slice(0, breakAt % (run.live.length + 1));
      const storedSeen = seen.filter((item) => item.kind === "event");
      const replay = storedSeen.slice(storedSeen.length - (cursorBack % (storedSeen.length + 1)));
      const rest = run.live.slice(seen.length);
      const reconnected = [...seen, ...replay, ...openText(seen), ...rest];
      expect(reduce(tell(reconnected))).toEqual(reduce(tell(run.live)));
    }),
    { numRuns: 500 },
  );
});

test("[P26] who comes late sees what is there: the stored events, and the open text in one delta", () => {
  fc.assert(
    fc.property(anyRun, fc.nat(), (run, joinAt) => {
      const missed = run.live.slice(0, joinAt % (run.live.length + 1));
      const stored = missed.filter((item) => item.kind === "event");
      const [open] = openText(missed);
      const late = reduce(tell(open === undefined ? stored : [...stored, open]));
      // Text that was broken off before is only known to those who were there.
      const there = reduce(tell(missed))?.output.filter(
        (item) => !isOpen(item) || (open?.kind === "delta" && open.delta.itemId === item.id),
      );
      expect(late?.output).toEqual(there);
    }),
  );
});

const isOpen = (item: OutputItem): boolean => "status" in item && item.status === "in_progress";

/** What the log sends after a reconnect: the text so far of the item that was being written. */
function openText(seen: readonly LogItem[]): readonly LogItem[] {
  const last = seen.at(-1);
  if (last?.kind !== "delta") return [];
  const { itemId } = last.delta;
  const pieces = seen.flatMap((item) =>
    item.kind === "delta" && item.delta.itemId === itemId ? [item.delta] : [],
  );
  const text = pieces.reduce((known, { offset, text: piece }) => {
    return known.length >= offset + piece.length ? known : known.slice(0, offset) + piece;
  }, "");
  return [{ kind: "delta", delta: { ...last.delta, offset: 0, text } }];
}
