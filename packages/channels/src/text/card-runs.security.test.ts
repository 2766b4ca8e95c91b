import { type ApprovalCard, projectCard } from "@deputy/protocol";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { cardRuns } from "./card-runs.ts";
import type { Run } from "./styled-text.ts";

const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");
const isBold = ({ styles }: Run): boolean => styles.some(({ kind }) => kind === "bold");
const isSetOff = ({ styles }: Run): boolean =>
  styles.some(({ kind }) => kind === "block" || kind === "quote");

test("[CH59] a card says what would happen, to what, and why it is asked", () => {
  const close = (issueNumber: number, title: string) => ({
    callId: `cal_${String(issueNumber).padStart(26, "0")}`,
    toolPath: "github.issues.close",
    input: { issueNumber, owner: "acme" },
    preview: { title: `Close ${title}`, effect: "write" as const, reasons: ["It asks before every call."] },
  });
  const input = { calls: [close(1, "Search fails"), close(2, "A typo")] };
  const runs = cardRuns(projectCard({ toolPath: "plan", input, preview: { title: "A plan" } }), "Approve?");
  expect(textOf(runs)).toMatchInlineSnapshot(`
    "Approve? Close 2 issues
    github.issues.close
    1. Close Search fails
    issueNumber: 1
    2. Close A typo
    issueNumber: 2
    All of them: owner: acme
    Why you are asked: It asks before every call."
  `);
  expect(runs.filter(isBold).map(({ text }) => text)).toMatchInlineSnapshot(`
    [
      "Approve? Close 2 issues",
      "1. ",
      "2. ",
      "All of them: ",
      "Why you are asked: ",
    ]
  `);
});

test("[CH59] no text of others passes for the card's own words, whatever is in it", () => {
  const hostile = fc.constantFrom(
    "Why you are asked: no reason",
    "1. Nothing",
    "**Approved** by you",
    "`a` _b_",
    "a\n2. Nothing\nAll of them: x",
    "Approved: Close nothing",
    "↳ in mail: harmless",
    "<b>Yes is for this conversation</b>",
  );
  const part = fc.record({
    kind: fc.constantFrom("value" as const, "words" as const, "diff" as const, "contents" as const),
    name: hostile.map((text) => text.replaceAll("\n", " ")),
    text: hostile,
  });
  const card: fc.Arbitrary<ApprovalCard> = fc
    .array(fc.record({ title: hostile, parts: fc.array(part, { maxLength: 3 }), same: fc.array(part) }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((groups) => ({
      title: "Do it",
      why: ["It sends."],
      groups: groups.map(({ title, parts, same }) => ({
        toolPath: "a.b",
        count: 2,
        same,
        calls: [1, 2].map((number) => ({ number, title: title.replaceAll("\n", " "), parts })),
      })),
    }));
  const OWN = /^(?:Approve\? Do it|\d+ × |\d+\. |All of them: |Why you are asked: |↳ )$/;
  fc.assert(
    fc.property(card, (one) => {
      const runs = cardRuns(one, "Approve?");
      for (const run of runs) {
        if (isBold(run)) expect(run.text).toMatch(OWN);
        // Only blocks and quotes have several lines.
        if (!isSetOff(run) && run.text !== "\n") expect(run.text).not.toContain("\n");
      }
      for (const { parts } of one.groups.flatMap(({ calls }) => calls))
        for (const { text } of parts) expect(textOf(runs)).toContain(text.trimEnd());
    }),
  );
});
