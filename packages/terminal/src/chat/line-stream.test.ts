import { array, assert, nat, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import { createLineStream } from "./chat-on-lines.ts";

function setup() {
  const lines: string[] = [];
  return { lines, stream: createLineStream((line) => lines.push(line)) };
}

test("a line is given as soon as it is whole, the rest when the item is", () => {
  const { lines, stream } = setup();
  stream.piece({ itemId: "a", offset: 0, text: "one\ntw" });
  expect(lines).toEqual(["one"]);
  stream.piece({ itemId: "a", offset: 4, text: "two\nthr" });
  stream.whole({ itemId: "a", text: "one\ntwo\nthree" });
  expect(lines).toEqual(["one", "two", "three"]);
});

test("however pieces repeat, or are lost, every line comes once and in order", () => {
  const text = "alpha\nbeta\n\ngamma\ndelta";
  const piece = tuple(nat(text.length), nat(8));
  assert(
    property(array(piece), (pieces) => {
      const { lines, stream } = setup();
      for (const [offset, length] of pieces)
        stream.piece({ itemId: "a", offset, text: text.slice(offset, offset + length) });
      stream.whole({ itemId: "a", text });
      expect(lines.join("\n")).toBe(text);
    }),
  );
});
