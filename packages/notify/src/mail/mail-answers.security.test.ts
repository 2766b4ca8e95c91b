import { createIdSource } from "@deputy/kit";
import type { ApprovalId } from "@deputy/protocol";
import { createRedactor } from "@deputy/secrets";
import { createFakeClock } from "@deputy/testing";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ANSWER_MS, createAnswerCodes } from "./answer-codes.ts";
import { createMailAnswers } from "./mail-answers.ts";

function setup() {
  const clock = createFakeClock({ startMs: Date.UTC(2026, 0, 1) });
  const ids = createIdSource({ clock });
  const [one, two] = [ids.next("call") as ApprovalId, ids.next("plan") as ApprovalId];
  const codes = createAnswerCodes({ key: new Uint8Array(32).fill(7), clock });
  const given: unknown[] = [];
  const answered = new Set<string>();
  const answers = createMailAnswers({
    codes,
    from: ["Ada@Example.org"],
    answer: async (id, answer, by) => {
      if (answered.has(id)) return "too_late";
      answered.add(id);
      given.push([id, answer, by]);
      return "recorded";
    },
  });
  const take = (text: string, address = "ada@example.org") =>
    answers.take({ from: { name: "", address }, text });
  return { clock, codes, one, two, take, given };
}

test("[NT4] the code answers its question, once, and a no can say why", async () => {
  const { codes, one, two, take, given } = setup();
  const code = codes.issue(one);
  expect(await take(`  Approve ${code.toUpperCase()}\n\nOn Monday Deputy wrote:\n> deny x`)).toContain(
    "approved",
  );
  expect(await take(`deny ${code}`)).toContain("too late");
  expect(await take(`deny\n${codes.issue(two)} still needed\n\n> approve`)).toContain("denied");
  expect(given).toEqual([
    [one, { decision: "approved" }, "mail:ada@example.org"],
    [two, { decision: "denied", reason: "still needed" }, "mail:ada@example.org"],
  ]);
});

test("[NT4] quoted, said in passing, of somebody else, or of another Deputy, a code answers nothing", async () => {
  const { clock, codes, one, two, take, given } = setup();
  const code = codes.issue(one);
  const other = createAnswerCodes({ key: new Uint8Array(32).fill(8), clock }).issue(one);
  const swapped = code.replace(one.toLowerCase(), two.toLowerCase());
  const texts = [
    `I am away until Monday.\n> approve ${code}`,
    `> approve ${code}`,
    `Please approve ${code}`,
    `approve ${other}`,
    `approve ${swapped}`,
    `approve ${code}0`,
    "approve",
    "",
  ];
  for (const text of texts) expect(await take(text), text).toBeUndefined();
  expect(await take(`approve ${code}`, "eve@example.org")).toBeUndefined();
  expect(given).toEqual([]);
});

test("[NT4] after an hour it is over, and that is said", async () => {
  const { clock, codes, one, take, given } = setup();
  const code = codes.issue(one);
  await clock.advance(ANSWER_MS + 1_000);
  expect(await take(`approve ${code}`)).toContain("expired");
  expect(given).toEqual([]);
});

test("[NT4] no changed code is right", () => {
  const { codes, one } = setup();
  const code = codes.issue(one);
  fc.assert(
    fc.property(
      fc.nat(code.length - 1),
      fc.constantFrom(...Array.from("0123456789abcdef_-z")),
      (at, char) => {
        const changed = code.slice(0, at) + char + code.slice(at + 1);
        fc.pre(changed !== code);
        expect(codes.read(changed).kind).toBe("wrong");
      },
    ),
  );
});

test("[NT4] no model is shown a code: it is a secret wherever it stands", () => {
  const { codes, one, two } = setup();
  const redactor = createRedactor([]);
  for (const code of [codes.issue(one), codes.issue(two).toUpperCase()])
    for (const text of [`approve ${code}\n`, `"text":"deny ${code}"`, `>${code}<`])
      expect(redactor.text(text).toLowerCase()).not.toContain(code.toLowerCase().slice(-32));
});
