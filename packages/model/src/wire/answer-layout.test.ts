import { expect, test } from "vitest";
import type { AssistantPart } from "../model.ts";
import { arrangeAnswer, formatOpaque, type LayoutEntry, parseOpaque } from "./answer-layout.ts";

const parts = (layout: readonly LayoutEntry[], text = "onetwo"): readonly AssistantPart[] => {
  const opaque = formatOpaque({ wire: "w", bound: "b", layout });
  const reasoning = opaque === undefined ? { text: "hm" } : { text: "hm", opaque };
  return [
    { kind: "reasoning", ...reasoning },
    { kind: "text", text },
    { kind: "tool_call", id: "a", name: "f", inputJson: "{}" },
    { kind: "tool_call", id: "b", name: "f", inputJson: "{}" },
  ];
};

const show = (given: readonly AssistantPart[], wire = "w"): readonly unknown[] =>
  arrangeAnswer(given, (opaque) => parseOpaque(opaque, wire)).map((piece) =>
    piece.kind === "opaque" ? piece.value : piece.kind === "text" ? piece.text : `call ${piece.id}`,
  );

test("[W4] puts reasoning back in its place, calls included", () => {
  const layout = [
    { opaque: 1 },
    { text: 3 },
    { opaque: 2 },
    { call: "a" },
    { opaque: 3 },
    { text: 3 },
    { call: "b" },
  ];
  expect(show(parts(layout))).toEqual([1, "one", 2, "call a", 3, "two", "call b"]);
});

test.each([
  [
    "the text is another",
    parts([{ opaque: 1 }, { text: 3 }, { opaque: 2 }, { text: 3 }], "changed"),
    [1, "changed"],
  ],
  ["only reasoning was laid out", parts([{ opaque: 1 }, { opaque: 2 }], "new"), [1, 2, "new"]],
])("[W5] leaves out what cannot be placed when %s", (_when, given, pieces) => {
  expect(show(given)).toEqual([...pieces, "call a", "call b"]);
});

test.each([
  ["another wire", parts([{ opaque: 1 }, { text: 6 }]), "other"],
  ["no opaque part", parts([{ text: 6 }]), "w"],
  ["not of this version", [{ kind: "reasoning", text: "", opaque: '{"sig":1}' }, ...parts([]).slice(1)], "w"],
  ["not JSON", [{ kind: "reasoning", text: "", opaque: "sig" }, ...parts([]).slice(1)], "w"],
  [
    "odd entries",
    [{ kind: "reasoning", text: "", opaque: '{"wire":"w","bound":"","layout":[1]}' }, ...parts([]).slice(1)],
    "w",
  ],
] as const)("[W4] leaves out reasoning with %s", (_what, given, wire) => {
  expect(show(given, wire)).toEqual(["onetwo", "call a", "call b"]);
});

test("[W3] no answer ends with reasoning", () => {
  expect(show(parts([{ text: 6 }, { opaque: 1 }]).slice(0, 2))).toEqual(["onetwo"]);
});
