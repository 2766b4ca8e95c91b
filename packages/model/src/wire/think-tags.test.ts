import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createThinkTags } from "./think-tags.ts";

function part(pieces: readonly string[]): { readonly reasoning: string; readonly text: string } {
  const tags = createThinkTags();
  const events = [...pieces.flatMap((piece) => [...tags.push(piece)]), ...tags.end()];
  for (const event of events) expect("text" in event && event.text).not.toBe("");
  const join = (kind: string): string =>
    events.map((event) => (event.kind === kind && "text" in event ? event.text : "")).join("");
  return { reasoning: join("reasoning"), text: join("text") };
}

test.each([
  ["<think>Hm</think>So", "Hm", "So"],
  ["\n<think>\nHm\n</think>\n\nSo\n", "Hm\n", "So\n"],
  ["<thinking>Hm</thinking>So", "Hm", "So"],
  ["<think>\n\n</think>\n\nSo", "", "So"],
  ["<think>a</think><think>b</think>c", "ab", "c"],
  ["<think>a < b </thin k></think>c", "a < b </thin k>", "c"],
  ["<think>never closed", "never closed", ""],
  ["<think>half a tag</thi", "half a tag</thi", ""],
  ["So: <think>not this</think>", "", "So: <think>not this</think>"],
  ["  indented", "", "  indented"],
  ["<thin", "", "<thin"],
  ["<thinker>no</thinker>", "", "<thinker>no</thinker>"],
  ["", "", ""],
])("[W31] %j is the reasoning %j and the text %j, cut anywhere", (whole, reasoning, text) => {
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length)), (places) => {
      const cuts = [0, ...places.toSorted((a, b) => a - b), whole.length];
      expect(part(cuts.slice(1).map((end, n) => whole.slice(cuts[n], end)))).toEqual({ reasoning, text });
    }),
  );
});
