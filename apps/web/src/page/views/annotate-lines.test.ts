import { expect, test } from "vitest";
import type { Call } from "../stores/transcript-rows.ts";
import { annotateLines, withoutExcerpt } from "./annotate-lines.ts";

test("[W52] a finding at its line has its words and its hint, and not the line once more", () => {
  const message = [
    "'rows' is of type 'unknown'.",
    '  3 |   await tools.mail.send({ to, subject: "a | b" });',
    "    |                          ^^^^",
    "Also at 5:8.",
    "Hint: say what you expect: value as A | B",
  ].join("\n");
  expect(withoutExcerpt(message)).toBe(
    "'rows' is of type 'unknown'.\nAlso at 5:8.\nHint: say what you expect: value as A | B",
  );
  expect(withoutExcerpt("Type 'string | number' does not fit.")).toBe("Type 'string | number' does not fit.");
});

test("[W53] a call stands at the line that made it, and at none where several could have", () => {
  const call = (id: string, toolPath: string): Call => ({
    id,
    toolPath,
    input: {},
    status: "succeeded",
    why: [],
    attachments: [],
  });
  const places = (code: string, calls: readonly Call[]) => {
    const { lines, others } = annotateLines(code, calls);
    return [...lines.map((line) => line.calls.map(({ id }) => id)), others.map(({ id }) => id)];
  };
  const [a, b, c] = [call("a", "mail.send"), call("b", "mail.send"), call("c", "mail.sendAll")];
  expect(places("await tools.mail.send({ x });\nawait tools.mail.sendAll();", [a, c])).toEqual([
    ["a"],
    ["c"],
    [],
  ]);
  expect(places("for (const to of all)\n  await tools.mail.send({ to });", [a, b])).toEqual([
    [],
    ["a", "b"],
    [],
  ]);
  const inOrder = "await tools.mail.send({ to: 1 });\nconst x = 1;\nawait tools.mail.send({ to: 2 });";
  expect(places(inOrder, [a, b])).toEqual([["a"], [], ["b"], []]);
  expect(places(inOrder, [a])).toEqual([["a"], [], [], []]);
  // By the tool's other name.
  expect(places("const x = 1;\nawait tools.post({ x });", [{ ...a, calledAs: "post" }])).toEqual([
    [],
    ["a"],
    [],
  ]);
  const branching = "if (late) await tools.mail.send({ to: 1 });\nawait tools.mail.send({ to: 2 });";
  expect(places(branching, [a])).toEqual([[], [], ["a"]]);
  const inBlock =
    "try {\nawait tools.mail.send({ to: 1 });\n} finally {\nawait tools.mail.send({ to: 2 });\n}";
  expect(places(inBlock, [a])).toEqual([[], [], [], [], [], ["a"]]);
});
