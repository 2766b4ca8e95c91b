import { expect, test } from "vitest";
import { runLines } from "./run-words.ts";

test("[W51] a run says what came of it first, counts what went well, and keeps what did not", () => {
  expect(
    runLines([
      "deputy.searchTools: succeeded",
      "Said: I look.",
      "mail.read: succeeded",
      "mail.read: succeeded",
      "mail.send: failed (No such mailbox)",
      "Said: There are seven.\n\nAll are old.",
    ]),
  ).toEqual([
    { kind: "answer", text: "There are seven.\n\nAll are old." },
    { kind: "step", text: "mail.read × 2" },
    { kind: "step", text: "Said: I look." },
    { kind: "step", text: "mail.send: failed (No such mailbox)" },
  ]);
  expect(runLines(["deputy.searchTools: succeeded", "Had nothing to report"])).toEqual([]);
});
