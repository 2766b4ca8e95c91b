import { createIdSource } from "@deputy/kit";
import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import { sha256 } from "../agent.fixture.ts";
import { callBinding, isAbout, planBinding } from "./approval-binding.ts";

const ids = createIdSource({ clock: createFakeClock() });
const [one, other, planId] = [ids.next("call"), ids.next("call"), ids.next("plan")];
const call = { callId: one, programHash: "p", toolPath: "mail.send", inputHash: "i" };
/** Each differs from the call in one thing that it is bound to. */
const different = [
  { ...call, programHash: "q" },
  { ...call, toolPath: "mail.sendAll" },
  { ...call, inputHash: "j" },
];

test("[A90] an approval of one call is for its program, tool and input, under whatever id it comes again", () => {
  const asked = { approvalId: one, bindingHash: callBinding(sha256, call) };
  expect(isAbout(sha256, asked, { ...call, callId: other })).toBe(true);
  expect(different.map((changed) => isAbout(sha256, asked, changed))).toEqual([false, false, false]);
});

test("[A90] an approval of a list is for its program, and each call that it lists, under its id", () => {
  const calls = [{ callId: one, toolPath: "mail.send", inputHash: "i" }];
  const asked = { approvalId: planId, bindingHash: planBinding(sha256, "p", calls), calls };
  expect(isAbout(sha256, asked, call)).toBe(true);
  expect(different.map((changed) => isAbout(sha256, asked, changed))).toEqual([false, false, false]);
  expect(isAbout(sha256, asked, { ...call, callId: other })).toBe(false);
});

test("[A90] a list that was changed after it was asked about approves nothing, not even what stayed", () => {
  const calls = [
    { callId: one, toolPath: "mail.send", inputHash: "i" },
    { callId: other, toolPath: "mail.read", inputHash: "j" },
  ] as const;
  const bindingHash = planBinding(sha256, "p", calls);
  const [first, second] = calls;
  for (const changed of [
    [first],
    [second, first],
    [first, { ...second, callId: ids.next("call") }],
    [first, { ...second, toolPath: "mail.delete" }],
    [first, { ...second, inputHash: "k" }],
    [first, { ...second, toolHash: "another tool" }],
    [first, { ...second, circumstances: "other files" }],
    [first, { ...second, groundsHash: "other scripts" }],
  ])
    expect(isAbout(sha256, { approvalId: planId, bindingHash, calls: changed }, call)).toBe(false);
});
