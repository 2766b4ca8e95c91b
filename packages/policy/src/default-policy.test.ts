import { expect, test } from "vitest";
import { createDefaultPolicy, type PolicyRequest } from "./index.ts";

const hash = "a".repeat(64);

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
    inputHash: hash,
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

test.each([
  ["the tool", { bindings: [{ toolPath: "mail.send" }] }, "allow"],
  ["the exact input", { bindings: [{ toolPath: "mail.send", inputHash: hash }] }, "allow"],
  ["another input", { bindings: [{ toolPath: "mail.send", inputHash: "b".repeat(64) }] }, "ask"],
  ["another tool", { bindings: [{ toolPath: "mail.delete" }] }, "ask"],
  ["it, until later", { bindings: [{ toolPath: "mail.send" }], expiresAtMs: 1_001 }, "allow"],
  ["it, until just now", { bindings: [{ toolPath: "mail.send" }], expiresAtMs: 1_000 }, "ask"],
])("[Y2] a grant of %s", (_what, grant, decision) => {
  expect(decide({ tool: { approval: "required" }, grants: [grant] }).decision).toBe(decision);
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
