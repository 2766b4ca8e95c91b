import { expect, test } from "vitest";
import type { PolicyRule } from "./policy-rule.ts";
import { findShadowedRules } from "./shadowed-rules.ts";

const rule = (tool: string, effect?: PolicyRule["effect"]): PolicyRule => ({ tool, effect, decision: "ask" });
const shadowed = (rules: readonly PolicyRule[], deny: readonly string[] = []) =>
  findShadowedRules({ deny, rules }).map(({ place, by }) => [place, by]);

test("[YR13] a rule after a wider one is told with what comes first", () => {
  expect(findShadowedRules({ deny: [], rules: [rule("mail"), rule("mail.send")] })).toEqual([
    { place: "policy.rules[1]", tool: "mail.send", by: ["policy.rules[0]"] },
  ]);
});

test("[YR13] of several that each hide it, the first is named", () => {
  expect(shadowed([rule("mail"), rule("**"), rule("mail.send")])).toEqual([
    ["policy.rules[2]", ["policy.rules[0]"]],
  ]);
});

test("[YR13] one before a wider one is not", () => {
  expect(shadowed([rule("mail.send"), rule("mail"), rule("**")])).toEqual([]);
});

test("[YR13] a rule for one effect hides nothing of the others, and is hidden by one for all", () => {
  expect(shadowed([rule("mail", "read"), rule("mail")])).toEqual([]);
  expect(shadowed([rule("mail"), rule("mail", "read")])).toEqual([["policy.rules[1]", ["policy.rules[0]"]]]);
  expect(shadowed([rule("mail", "read"), rule("mail.x", "egress")])).toEqual([]);
});

test("[YR13] several together hide one, and those not needed for it are not named", () => {
  const rules = [rule("calendar"), rule("a*"), rule("*", "read"), rule("**"), rule("x")];
  expect(shadowed(rules)).toEqual([["policy.rules[4]", ["policy.rules[3]"]]]);
  const effects = [
    rule("lamp"),
    rule("mail", "read"),
    rule("mail", "write"),
    rule("**.x", "read"),
    rule("*.x", "write"),
    rule("mail", "egress"),
    rule("**", "destructive"),
    rule("mail.x"),
  ];
  expect(shadowed(effects)).toEqual([
    ["policy.rules[7]", ["policy.rules[1]", "policy.rules[2]", "policy.rules[5]", "policy.rules[6]"]],
  ]);
});

test("[YR13] what never runs needs no rule, and no second entry", () => {
  expect(shadowed([rule("mail.send"), rule("lamp")], ["mail", "mail.read"])).toEqual([
    ["policy.deny[1]", ["policy.deny[0]"]],
    ["policy.rules[0]", ["policy.deny[0]"]],
  ]);
});
