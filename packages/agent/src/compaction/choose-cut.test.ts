import type { CanonicalEvent, EventData, NewEvent } from "@deputy/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { buildHistory } from "../history/history.fixture.ts";
import { type HistoryPart, readHistory } from "../history/history.ts";
import { textBy } from "../ingress/labelled-text.ts";
import { chooseCut, type Keep } from "./choose-cut.ts";
import { anyConversation, anyEvents, asStored, said, unpaired } from "./conversation.fixture.ts";

const compactedThrough = (
  throughSeq: number,
  more: Partial<EventData<"session.compacted">> = {},
): NewEvent => ({
  type: "session.compacted",
  data: { fromSeq: 1, throughSeq, summary: "Earlier.", archive: "log", ...more },
});

/** The same session, with that compaction as its last event. */
const withCompaction = (events: readonly CanonicalEvent[], compaction: NewEvent): CanonicalEvent[] => [
  ...events,
  ...asStored([...events, compaction]).slice(-1),
];

const anyKeep: fc.Arbitrary<Keep> = fc.record({
  exchanges: fc.integer({ min: 0, max: 5 }),
  tokens: fc.integer({ min: -10, max: 60 }),
  messages: fc.integer({ min: 0, max: 12 }),
  pinned: fc.array(fc.nat(60)).map((seqs) => new Set(seqs)),
});

/** One exchange per word: `u` the user, `a` an answer; 100 tokens each. */
function setup(shape: string): HistoryPart[] {
  return Array.from(shape, (letter, at): HistoryPart => {
    const text = "x".repeat(400);
    return letter === "u"
      ? { kind: "said", fromSeq: at + 1, messages: [{ role: "user", text: textBy({ kind: "user" }, text) }] }
      : {
          kind: "answered",
          fromSeq: at + 1,
          messages: [{ role: "assistant", parts: [{ kind: "text", text }] }],
        };
  });
}
const none: ReadonlySet<number> = new Set();

test("[A41] any session, cut anywhere: every call in the prompt has its result, and no result stands alone", () => {
  fc.assert(
    fc.property(anyConversation, fc.nat(70), fc.array(fc.nat(70)), (events, throughSeq, keptSeqs) => {
      expect(unpaired(buildHistory(events))).toEqual([]);
      const cut = withCompaction(events, compactedThrough(throughSeq, { keptSeqs }));
      expect(unpaired(buildHistory(cut))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test("[A41] wherever compaction cuts a session, what is kept reads as it did before", () => {
  let cuts = 0;
  fc.assert(
    fc.property(anyConversation, anyKeep, (events, keep) => {
      const parts = readHistory(events);
      const cut = chooseCut(parts, keep);
      if (cut === undefined) return;
      cuts += 1;
      const after = readHistory(withCompaction(events, compactedThrough(cut.throughSeq)));
      expect(after[0]).toMatchObject({ kind: "summary" });
      expect(after.slice(1)).toEqual(parts.slice(cut.replaced.length));
    }),
    { numRuns: 500 },
  );
  expect(cuts).toBeGreaterThan(100);
});

test("[A41] a session that grows and is cut again and again is never parted wrongly; each cut goes further", () => {
  let repeated = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(anyEvents, anyKeep), { minLength: 2, maxLength: 4 }), (rounds) => {
      const session: NewEvent[] = [];
      let [through, cuts] = [0, 0];
      for (const [events, keep] of rounds) {
        session.push(...events);
        const cut = chooseCut(readHistory(asStored(session)), keep);
        if (cut === undefined) continue;
        expect(cut.throughSeq).toBeGreaterThan(through);
        through = cut.throughSeq;
        session.push(compactedThrough(through, { keptSeqs: [...keep.pinned] }));
        expect(unpaired(buildHistory(asStored(session)))).toEqual([]);
        cuts += 1;
      }
      if (cuts > 1) repeated += 1;
    }),
    { numRuns: 300 },
  );
  expect(repeated).toBeGreaterThan(50);
});

test.each([
  ["the last exchanges, as many as asked for", "uauauaua", { exchanges: 2, tokens: 1_000 }, 4],
  ["an exchange of several steps whole", "uauaaauaa", { exchanges: 2, tokens: 1_000 }, 2],
  ["messages that came together", "uauuaua", { exchanges: 2, tokens: 1_000 }, 2],
  ["fewer exchanges, when so many do not fit", "uauauaua", { exchanges: 3, tokens: 250 }, 6],
  ["the last pieces of an exchange that does not fit", "uauaaaaa", { exchanges: 3, tokens: 250 }, 6],
  ["the last piece, when nothing fits", "uauaaaaa", { exchanges: 3, tokens: 0 }, 7],
  [
    "fewer exchanges, when they have too many messages",
    "uauauaua",
    { exchanges: 3, tokens: 900, messages: 3 },
    6,
  ],
  ["fewer exchanges than asked for, rather than cutting nothing", "uaua", { exchanges: 9, tokens: 1_000 }, 2],
] as const)("[A40] what is kept: %s", (_what, shape, keep, first) => {
  const parts = setup(shape);
  const cut = chooseCut(parts, { messages: 100, ...keep, pinned: none });
  expect(cut).toEqual({ replaced: parts.slice(0, first), throughSeq: first, gainTokens: first * 100 });
});

test("[A40] there is no cut that would gain nothing", () => {
  const keep = { exchanges: 1, tokens: 0, messages: 0, pinned: none };
  expect(chooseCut([], keep)).toBeUndefined();
  expect(chooseCut(setup("u"), keep)).toBeUndefined();
  expect(chooseCut(setup("ua"), { ...keep, pinned: new Set([1]) })).toBeUndefined();
  const summary: HistoryPart = {
    kind: "summary",
    fromSeq: 9,
    messages: [{ role: "user", text: textBy({ kind: "user" }, "Earlier.") }],
  };
  expect(chooseCut([summary, ...setup("a")], keep)).toBeUndefined();
});

test("[A41] a compaction that claims more than lies before it hides nothing after it", () => {
  const events = asStored([said("one"), compactedThrough(1_000_000), said("two")]);
  expect(buildHistory(events).at(-1)).toEqual({ role: "user", text: "two" });
});
