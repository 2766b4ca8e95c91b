import { expect, test } from "vitest";
import { saidParts } from "./said-parts.ts";

const flat = (text: string): readonly string[] =>
  saidParts(text).map((part) => (part.kind === "code" ? `${part.language}: ${part.text}` : part.text));

test.each([
  ["Hello *there*", ["Hello *there*"]],
  ["Look:\n```ts\nconst a = 1;\n\nreturn a;\n```\nWhy?", ["Look:", "ts: const a = 1;\n\nreturn a;", "Why?"]],
  ["```\nalone\n```", [": alone"]],
  ["```ts\nnever closed", ["```ts\nnever closed"]],
  ["````md\n```ts\nx\n```\n````", ["md: ```ts\nx\n```"]],
  ["in `a` line ``` no fence", ["in `a` line ``` no fence"]],
  ["```ts\na\n```\n\n```ts\nb\n```", ["ts: a", "ts: b"]],
  ["```\n```", [": "]],
  ["", [""]],
])("[W54] code between fences is shown as code, everything else as it was typed: %j", (text, parts) => {
  expect(flat(text)).toEqual(parts);
});
