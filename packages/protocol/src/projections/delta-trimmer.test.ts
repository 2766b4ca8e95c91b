import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createDeltaTrimmer } from "./delta-trimmer.ts";
import type { Push } from "../wire/push.ts";
import { openSampleStream } from "../test/sample-stream.ts";

function setup() {
  const stream = openSampleStream();
  const trim = createDeltaTrimmer();
  const itemId = stream.ids.next("item");
  const delta = (offset: number, text: string, item = itemId): Push => ({
    event: "chat.delta",
    data: { runId: stream.turnId, text, itemId: item, offset },
  });
  const textOf = (pushes: readonly Push[]): string => pushes.map((push) => trimmed(push) ?? "").join("");
  const trimmed = (push: Push): string | undefined => {
    const passed = trim(push);
    return passed?.event === "chat.delta" ? passed.data.text : undefined;
  };
  return { stream, trim, delta, textOf };
}

test("[P34] pieces, repeats and the whole message add up to the message", () => {
  const { delta, textOf } = setup();
  const pushes = [
    delta(0, "Clo"),
    delta(3, "sed"),
    delta(0, "Closed 1"),
    delta(3, "sed 12"),
    delta(0, "Closed 12 issues."),
  ];
  expect(textOf(pushes)).toBe("Closed 12 issues.");
});

test("[P34] any pieces in any order, and then the whole, add up to the message", () => {
  const piece = fc.record({ from: fc.nat(40), length: fc.nat(20) });
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.array(piece), (text, pieces) => {
      const { delta, textOf } = setup();
      const pushes = pieces
        .filter(({ from }) => from <= text.length)
        .map(({ from, length }) => delta(from, text.slice(from, from + length)));
      expect(textOf([...pushes, delta(0, text)])).toBe(text);
    }),
  );
});

test("[P34] items and runs do not mix; the end of a run forgets it", () => {
  const { stream, trim, delta, textOf } = setup();
  const other = stream.ids.next("item");
  expect(textOf([delta(0, "one"), delta(0, "two", other), delta(0, "one"), delta(3, "!", other)])).toBe(
    "onetwo!",
  );
  trim({ event: "chat.error", data: { runId: stream.turnId, message: "gone" } });
  expect(textOf([delta(0, "one")])).toBe("one");
});

test("[P34] every other push passes as it is", () => {
  const { stream, trim } = setup();
  const progress: Push = {
    event: "tool.progress",
    data: { runId: stream.turnId, tool: "mail", message: "sending" },
  };
  expect(trim(progress)).toBe(progress);
});
