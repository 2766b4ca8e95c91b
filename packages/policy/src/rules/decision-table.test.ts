import { describe, expect, test } from "vitest";
import { type CallFacts, type Concern, decideByTable, type Verdict } from "./decision-table.ts";

const yesNo = [false, true];
const reaches = (["tool", "input"] as const).flatMap((grantable) =>
  yesNo.map((takesAnyValues) => ({ grantable, takesAnyValues })),
);
const every: readonly CallFacts[] = yesNo.flatMap((isOnDenyList) =>
  (["none", "allow", "allow-untrusted", "ask", "deny"] as const).flatMap((rule) =>
    (["none", "tool", "any", "input"] as const).flatMap((grant) =>
      reaches.flatMap(({ grantable, takesAnyValues }) =>
        (["read", "write", "reaching"] as const).flatMap((effect) =>
          (["auto", "required"] as const).flatMap((approval) =>
            yesNo.flatMap((isUnexplained) =>
              yesNo.flatMap((isOverBudget) =>
                yesNo.map((isBlind) => ({
                  isOnDenyList,
                  rule,
                  grant,
                  grantable,
                  takesAnyValues,
                  effect,
                  approval,
                  isUnexplained,
                  isOverBudget,
                  isBlind,
                })),
              ),
            ),
          ),
        ),
      ),
    ),
  ),
);

/** SPEC.md once more, in sentences rather than as a table. */
function expected(facts: CallFacts): Verdict {
  const { rule, effect } = facts;
  const isRefused =
    (facts.grant === "any" && !facts.takesAnyValues) ||
    (facts.grant === "tool" && facts.grantable === "input");
  const grant = isRefused ? "none" : facts.grant;
  if (facts.isOnDenyList) return { kind: "deny", by: "list" };
  if (rule === "deny") return { kind: "deny", by: "rule" };
  const allows = rule === "allow" || rule === "allow-untrusted";
  const open: Concern[] = [];
  let wasGranted = false;
  const consider = (concern: Concern, isLifted: boolean): void => {
    if (isLifted) wasGranted = true;
    else open.push(concern);
  };
  if (rule === "ask") consider("rule", grant !== "none");
  if (facts.approval === "required" && !allows) consider("approval", grant !== "none");
  if (facts.isUnexplained && rule !== "allow-untrusted")
    consider("origin", grant === "input" || grant === "any");
  if (facts.isOverBudget) consider("budget", grant === "input");
  if (effect === "reaching" && facts.isBlind && !allows) consider("effect", grant !== "none");
  if (open.length > 0) {
    const isForInput = facts.grantable === "input" || open.includes("budget");
    const takesAnyValues = facts.takesAnyValues && !open.includes("budget");
    return { kind: "ask", concerns: open, grantable: isForInput ? "input" : "tool", takesAnyValues };
  }
  if (wasGranted) return { kind: "allow", by: "grant" };
  return { kind: "allow", by: rule === "none" ? "nothing" : "rule" };
}

test("[YR1] every combination is decided as the specification says", () => {
  expect(every).toHaveLength(7_680);
  for (const facts of every)
    expect({ facts, verdict: decideByTable(facts) }).toEqual({ facts, verdict: expected(facts) });
});

const quiet: CallFacts = {
  isOnDenyList: false,
  rule: "none",
  grant: "none",
  grantable: "tool",
  takesAnyValues: false,
  effect: "write",
  approval: "auto",
  isUnexplained: false,
  isOverBudget: false,
  isBlind: false,
};
const stolen = { ...quiet, effect: "reaching", isUnexplained: true } as const;

describe("[YR1] the rows, one by one", () => {
  test.each<readonly [what: string, facts: CallFacts, verdict: Verdict]>([
    ["nothing is known against it", quiet, { kind: "allow", by: "nothing" }],
    [
      "denied by the list, whatever else",
      { ...quiet, isOnDenyList: true, rule: "allow", grant: "input" },
      { kind: "deny", by: "list" },
    ],
    [
      "denied by a rule, whatever was granted",
      { ...quiet, rule: "deny", grant: "input" },
      { kind: "deny", by: "rule" },
    ],
    [
      "a tool that requires approval",
      { ...quiet, approval: "required" },
      { kind: "ask", concerns: ["approval"], grantable: "tool", takesAnyValues: false },
    ],
    [
      "such a tool, allowed by a rule",
      { ...quiet, approval: "required", rule: "allow" },
      { kind: "allow", by: "rule" },
    ],
    [
      "such a tool, granted",
      { ...quiet, approval: "required", grant: "tool" },
      { kind: "allow", by: "grant" },
    ],
    [
      "such a tool, granted, though each yes is to one input only",
      { ...quiet, approval: "required", grant: "tool", grantable: "input" },
      { kind: "ask", concerns: ["approval"], grantable: "input", takesAnyValues: false },
    ],
    [
      "such a tool, granted just so",
      { ...quiet, approval: "required", grant: "input", grantable: "input" },
      { kind: "allow", by: "grant" },
    ],
    [
      "a value of an attacker's",
      stolen,
      { kind: "ask", concerns: ["origin"], grantable: "tool", takesAnyValues: false },
    ],
    [
      "the same, though the tool is allowed",
      { ...stolen, rule: "allow" },
      { kind: "ask", concerns: ["origin"], grantable: "tool", takesAnyValues: false },
    ],
    [
      "the same, though the tool is granted",
      { ...stolen, grant: "tool" },
      { kind: "ask", concerns: ["origin"], grantable: "tool", takesAnyValues: false },
    ],
    [
      "the same, allowed with its eyes open",
      { ...stolen, rule: "allow-untrusted" },
      { kind: "allow", by: "rule" },
    ],
    ["the same, granted just so", { ...stolen, grant: "input" }, { kind: "allow", by: "grant" }],
    [
      "the same, granted whatever the values",
      { ...stolen, grant: "any", takesAnyValues: true },
      { kind: "allow", by: "grant" },
    ],
    [
      "the same, of a tool that does not take that",
      { ...stolen, grant: "any" },
      { kind: "ask", concerns: ["origin"], grantable: "tool", takesAnyValues: false },
    ],
    [
      "a read that would send something",
      { ...stolen, effect: "read", isBlind: true },
      { kind: "ask", concerns: ["origin"], grantable: "tool", takesAnyValues: false },
    ],
    [
      "one call too many",
      { ...quiet, isOverBudget: true, rule: "allow-untrusted", grant: "tool" },
      { kind: "ask", concerns: ["budget"], grantable: "input", takesAnyValues: false },
    ],
    [
      "one too many, granted just so",
      { ...quiet, isOverBudget: true, grant: "input" },
      { kind: "allow", by: "grant" },
    ],
    [
      "outward, and nobody knows",
      { ...quiet, effect: "reaching", isBlind: true },
      { kind: "ask", concerns: ["effect"], grantable: "tool", takesAnyValues: false },
    ],
    ["a write, and nobody knows", { ...quiet, isBlind: true }, { kind: "allow", by: "nothing" }],
    [
      "asked about by a rule",
      { ...quiet, rule: "ask" },
      { kind: "ask", concerns: ["rule"], grantable: "tool", takesAnyValues: false },
    ],
    [
      "everything at once",
      { ...stolen, rule: "ask", approval: "required", isOverBudget: true, isBlind: true },
      {
        kind: "ask",
        concerns: ["rule", "approval", "origin", "budget", "effect"],
        grantable: "input",
        takesAnyValues: false,
      },
    ],
  ])("%s", (_what, facts, verdict) => {
    expect(decideByTable(facts)).toEqual(verdict);
  });
});
