import { expect, test } from "vitest";
import { createDefaultPolicy, type PolicyRequest } from "./index.ts";

function decide(change: { tool?: Partial<PolicyRequest["tool"]> } & Partial<Omit<PolicyRequest, "tool">>) {
  const tool = {
    path: "mail.send",
    approval: "auto" as const,
    effect: "read" as const,
    critical: "all" as const,
    ...change.tool,
  };
  return createDefaultPolicy().decide({
    input: {},
    inputHash: "a".repeat(64),
    labels: [],
    grants: [],
    nowMs: 1_000,
    ...change,
    tool,
  });
}

const untrusted = [{ trust: "untrusted" as const, source: "mail.read" }];

test("[Y1] a tool that requires approval asks", () => {
  expect(decide({ tool: { approval: "required" } })).toMatchObject({
    decision: "ask",
    rule: "tool.approval",
  });
});

test("[Y2] a grant comes before every other rule", () => {
  const grants = [{ bindings: [{ toolPath: "mail.send" }] }];
  const tool = { approval: "required", effect: "destructive" } as const;
  expect(decide({ tool, labels: untrusted, grants })).toMatchObject({ decision: "allow", rule: "grant" });
});

test.each(["egress", "destructive"] as const)(
  "[Y3] %s asks after untrusted text, and says whose",
  (effect) => {
    const decision = decide({ tool: { effect }, labels: untrusted });
    expect(decision).toMatchObject({ decision: "ask", rule: "untrusted.effect" });
    expect(decision.reasons.join(" ")).toContain("mail.read");
  },
);

test.each([
  ["a read after untrusted text", { tool: { effect: "read" as const }, labels: untrusted }],
  ["an outward call without any", { tool: { effect: "egress" as const } }],
  [
    "one after the user's own words",
    { tool: { effect: "egress" as const }, labels: [{ trust: "user" as const, source: "user" }] },
  ],
])("[Y4] allows %s", (_what, change) => {
  expect(decide(change)).toMatchObject({ decision: "allow", rule: "tool.auto" });
});
