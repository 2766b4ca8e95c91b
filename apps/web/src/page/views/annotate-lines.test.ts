import { expect, test } from "vitest";
import { withoutExcerpt } from "./annotate-lines.ts";

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
