import hljs from "highlight.js/lib/core";
import { expect, test } from "vitest";
import { loadLanguage } from "./code-languages.ts";
import { codeSpans, linesOf } from "./code-spans.ts";

test("[W3] code becomes pieces with their scopes, and joined they are the code, markup included", async () => {
  const loaded = await loadLanguage("typescript");
  if (loaded !== undefined) hljs.registerLanguage("typescript", loaded.default);
  const code = 'const a: string = "<img src=x onerror=alert(1)>"; // done\n';
  const spans = codeSpans(hljs, code, "typescript");
  expect(spans.map(({ text }) => text).join("")).toBe(code);
  expect(spans).toContainEqual({ text: "const", scope: "keyword" });
  expect(spans.find(({ text }) => text.includes("<img"))?.scope).toBe("string");
  expect(loadLanguage("constructor")).toBeUndefined();
  const lines = linesOf(codeSpans(hljs, "/* a\n\nb */\nconst c = 1;", "typescript"));
  expect(lines.map((line) => line.map(({ text }) => text).join(""))).toEqual([
    "/* a",
    "",
    "b */",
    "const c = 1;",
  ]);
  expect(lines[2]?.[0]?.scope).toBe("comment");
});
