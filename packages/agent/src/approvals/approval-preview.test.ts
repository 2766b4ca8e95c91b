import { makeVisible } from "@deputy/kit";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { finishPreview, previewOf, questionPreview } from "./approval-preview.ts";

test("[A94] nothing in a preview is invisible, and its title is one line, whatever the tool's words are made of", () => {
  const preview = {
    title: "Pay\u202e\nApproved: yes\t!",
    details: "to\u200b ann\r\nand \u{e0041}bob",
    changes: [{ path: "a\nb", diff: "+x\u2066\n-y" }],
  };
  expect(finishPreview(preview, {}, ["came from\nmail\u200b"])).toEqual({
    title: "Pay\\u{202e}\\u{a}Approved: yes\\u{9}!",
    details: "to\\u{200b} ann\\u{d}\nand \\u{e0041}bob",
    reasons: ["came from\\u{a}mail\\u{200b}"],
    changes: [{ path: "a\\u{a}b", diff: "+x\\u{2066}\n-y" }],
  });
});

test("[A94] any title comes out whole, in the title or in the details", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (title) => {
      const shown = finishPreview({ title }, {}, []);
      const whole = makeVisible(title).replaceAll("\n", "\\u{a}").replaceAll("\t", "\\u{9}");
      expect(shown.title).not.toMatch(/\n|[\ud800-\udbff](?![\udc00-\udfff])/);
      expect(shown.details ?? shown.title).toBe(whole);
    }),
  );
});

test("[A94] nothing hides behind a stretch of blanks, and its length is told (GC31)", () => {
  const command = `ls${" ".repeat(2_001)}; rm -rf ~`;
  const input = { command };
  expect(finishPreview({ title: `Run ${command}`, details: command }, input, [])).toEqual({
    title: "Run ls[… 2001 blanks …]; rm -rf ~",
    details: "ls[… 2001 blanks …]; rm -rf ~",
    reasons: ["It has 2001 blanks in a row: look at what stands behind them"],
  });
  const lines = finishPreview({ title: "x", details: `a${"\n".repeat(500)}b${"\t".repeat(50)}c` }, {}, []);
  expect(lines.details).toBe("a\n[… 499 blank lines …]\nb[… 50 blanks …]c");
  const indented = `a\n${" ".repeat(39)}b${"\n".repeat(4)}c`;
  expect(finishPreview({ title: "x", details: indented }, { indented }, [])).toEqual({
    title: "x",
    details: indented,
  });
});

test("[A94] a command of any length is shown to its last character, escaped where it must be (GC31)", () => {
  const command = `echo ${"a".repeat(5_000)} \u00a0\u202e\u200b\r; rm -rf ~`;
  const shown = finishPreview({ title: `Run ${command}` }, { command }, []);
  expect(shown.details).toBe(`Run echo ${"a".repeat(5_000)} \\u{a0}\\u{202e}\\u{200b}\\u{d}; rm -rf ~`);
});

test("[A94] a long title is cut where everybody sees it, before the author's own details", () => {
  const shown = finishPreview({ title: "x".repeat(201), details: "more" }, {}, []);
  expect(shown).toEqual({ title: `${"x".repeat(200)}…`, details: `${"x".repeat(201)}\n\nmore` });
  expect(finishPreview({ title: "x".repeat(200) }, {}, [])).toEqual({ title: "x".repeat(200) });
});

test("[A94] a pair of code units at the cut stays whole, and only there", () => {
  const shown = finishPreview({ title: `😀${"x".repeat(197)}😀!` }, {}, []);
  expect(shown).toEqual({ title: `😀${"x".repeat(197)}…`, details: `😀${"x".repeat(197)}😀!` });
});

test("[A21] a plugin whose own preview fails gets its path as title", async () => {
  const throwing = (): never => {
    throw new Error("no words");
  };
  expect(await previewOf({ path: "mail.send", preview: throwing }, {})).toEqual({ title: "mail.send" });
  const preview = (input: unknown) => ({ title: `Send ${String(input)}` });
  expect(await previewOf({ path: "mail.send", preview }, "it")).toEqual({ title: "Send it" });
});

test("[A27] a call that was running is asked about as a question, before its own details", () => {
  const asked = questionPreview({ title: "Pay", reasons: ["why"] }, 1);
  expect(asked).toMatchObject({ title: "Did this happen? Pay", reasons: ["why"] });
  expect(asked.details).toContain("it may or may not have happened. Look first.");
  expect(questionPreview({ title: "Pay", details: "to ann" }, 1).details).toBe(`${asked.details}\n\nto ann`);
});

test("[A95] words of the input that could be taken for others are spelt out, wherever they stand", () => {
  const { reasons } = finishPreview({ title: "Pay" }, { to: [{ pаyee: "ann" }], at: "ｂank" }, ["why"]);
  expect(reasons).toEqual([
    "why",
    "“pаyee” has letters that look like others: p\\u{430}yee",
    "“ｂank” has letters that look like others: \\u{ff42}ank",
  ]);
});

test.each(["\u00a0", "\u200b", "\u3164", "\u2800", "\r", "\v", "\u2028", " \t"])(
  "[A94] lines of the blank %j hide nothing, in words, diffs and scripts (GC31)",
  (blank) => {
    const text = `ls${`${blank}\n`.repeat(300)}rm -rf ~`;
    const shown = finishPreview(
      { title: "x", details: text, changes: [{ path: "a", diff: text }], contents: [{ path: "b.sh", text }] },
      { text },
      [],
    );
    for (const one of [shown.details, shown.changes?.[0]?.diff, shown.contents?.[0]?.text])
      expect(one).toMatch(/^ls\n\[… \d+ blank lines.*\]\nrm -rf ~$/);
    expect(shown.reasons?.[0]).toContain("blank lines");
  },
);
