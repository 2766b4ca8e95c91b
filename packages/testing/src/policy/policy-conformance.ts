import type { Grant, Policy, PolicyDecision, PolicyRequest } from "@deputy/policy";
import { inputLeaves } from "@deputy/policy/input-leaves";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyGrant, anyRequest, deepFreeze, HASH, NOW_MS, requestOf, untrusted } from "./policy-requests.ts";

/** From least to most strict; a change that must not widen may not go down. */
const STRICTNESS: readonly PolicyDecision["decision"][] = ["allow", "ask", "deny"];

/** What the gate needs from every policy. The rules are in `packages/policy/SPEC.md`. */
export function describePolicy(name: string, create: () => Policy): void {
  const decide = (request: PolicyRequest): PolicyDecision => create().decide(request);
  const strictness = (request: PolicyRequest): number => STRICTNESS.indexOf(decide(request).decision);
  const mailed = (change: Parameters<typeof requestOf>[0] = {}): PolicyRequest =>
    requestOf({ ...change, tool: { approval: "required", ...change.tool } });
  const holds = (property: (request: PolicyRequest) => void): void =>
    fc.assert(fc.property(anyRequest, property));

  describe(name, () => {
    test("[Y1] never simply allows a tool that requires approval", () => {
      for (const effect of ["read", "write", "egress", "destructive"] as const) {
        expect(decide(mailed({ tool: { effect } })).decision, effect).not.toBe("allow");
      }
    });

    test.each<readonly [what: string, grant: Grant]>([
      ["the tool", { bindings: [{ toolPath: "mail.send" }] }],
      ["the exact input", { bindings: [{ toolPath: "mail.send", inputHash: HASH }] }],
      ["it among others", { bindings: [{ toolPath: "mail.read" }, { toolPath: "mail.send" }] }],
      ["it until later", { bindings: [{ toolPath: "mail.send" }], expiresAtMs: NOW_MS + 1 }],
    ])("[Y2] a grant of %s allows what would ask", (_what, grant) => {
      expect(decide(mailed()).decision).toBe("ask");
      expect(decide(mailed({ grants: [grant] })).decision).toBe("allow");
    });

    test.each<readonly [what: string, grant: Grant]>([
      ["nothing", { bindings: [] }],
      ["another input", { bindings: [{ toolPath: "mail.send", inputHash: "b".repeat(64) }] }],
      ["an empty hash", { bindings: [{ toolPath: "mail.send", inputHash: "" }] }],
      ["the beginning of its hash", { bindings: [{ toolPath: "mail.send", inputHash: HASH.slice(0, 8) }] }],
      ["the same input of another tool", { bindings: [{ toolPath: "mail.read", inputHash: HASH }] }],
      ["its namespace", { bindings: [{ toolPath: "mail" }, { toolPath: "mail." }] }],
      ["a tool below it", { bindings: [{ toolPath: "mail.send.now" }] }],
      ["a tool whose name goes on", { bindings: [{ toolPath: "mail.sendAll" }] }],
      ["a name in other case", { bindings: [{ toolPath: "Mail.Send" }] }],
      ["a pattern", { bindings: [{ toolPath: "*" }, { toolPath: "mail.*" }, { toolPath: ".*" }] }],
      ["an empty name", { bindings: [{ toolPath: "" }] }],
      ["it until now", { bindings: [{ toolPath: "mail.send" }], expiresAtMs: NOW_MS }],
      ["it until the beginning of time", { bindings: [{ toolPath: "mail.send" }], expiresAtMs: 0 }],
      ["it until nobody knows when", { bindings: [{ toolPath: "mail.send" }], expiresAtMs: Number.NaN }],
    ])("[Y2] a grant of %s changes nothing", (_what, grant) => {
      const request = mailed({ labels: [untrusted] });
      expect(decide({ ...request, grants: [grant] })).toEqual(decide(request));
    });

    test("[Y2] grants that do not match change nothing", () => {
      fc.assert(
        fc.property(anyRequest, fc.array(anyGrant), (request, grants) => {
          const elsewhere = grants.map((grant) => ({
            ...grant,
            bindings: grant.bindings.filter(({ toolPath }) => toolPath !== request.tool.path),
          }));
          const over = grants.map((grant) => ({ ...grant, expiresAtMs: request.nowMs - 1 }));
          const without = decide({ ...request, grants: [] });
          expect(decide({ ...request, grants: [...elsewhere, ...over] })).toEqual(without);
        }),
      );
    });

    test("[Y8] gives the same answer to the same request at any time, and does not change it", () => {
      const policy = create();
      fc.assert(
        fc.property(anyRequest, anyRequest, (request, other) => {
          const first = policy.decide(deepFreeze(request));
          policy.decide(other);
          expect(policy.decide(request)).toEqual(first);
          expect(decide(request)).toEqual(first);
        }),
      );
    });

    test("[Y8] the order of grants, bindings and labels does not matter", () => {
      holds((request) => {
        const reversed = {
          ...request,
          labels: request.labels.toReversed(),
          grants: request.grants
            .map((grant) => ({ ...grant, bindings: grant.bindings.toReversed() }))
            .toReversed(),
        };
        const { decision, rule } = decide(request);
        expect(decide(reversed)).toMatchObject({ decision, rule });
      });
    });

    test("[Y9] an answer names its rule; one that does not allow says why", () => {
      holds((request) => {
        const { decision, rule, reasons } = decide(request);
        expect(STRICTNESS).toContain(decision);
        expect(rule).toMatch(/\S/);
        for (const reason of reasons) expect(reason).toMatch(/\S/);
        if (decision !== "allow") expect(reasons.length).toBeGreaterThan(0);
      });
    });

    test("[Y10] a grant of the input allows what would ask, never what is denied", () => {
      holds((request) => {
        const without = decide({ ...request, grants: [] }).decision;
        const exact: Grant = { bindings: [{ toolPath: request.tool.path, inputHash: request.inputHash }] };
        expect(decide({ ...request, grants: [exact] }).decision).toBe(without === "deny" ? "deny" : "allow");
      });
    });

    test("[Y10] a grant of the tool with these values does the same before untrusted text, and never makes stricter", () => {
      holds((request) => {
        const without = decide({ ...request, grants: [] }).decision;
        const leaves = inputLeaves(request.input, () => true);
        const values = Object.fromEntries(leaves.map(({ path, value }) => [path, [value]]));
        const tool: Grant = { bindings: [{ toolPath: request.tool.path, values }] };
        const granted = decide({ ...request, grants: [tool] }).decision;
        const isTrusted = request.labels.every((label) => label.trust !== "untrusted");
        const expected = without === "ask" && isTrusted ? ["allow"] : ["allow", without];
        expect(without === "deny" ? ["deny"] : expected).toContain(granted);
      });
    });

    test("[Y11] untrusted text never makes a policy more permissive", () => {
      holds((request) => {
        const after = { ...request, labels: [...request.labels, untrusted] };
        expect(strictness(after)).toBeGreaterThanOrEqual(strictness(request));
      });
    });
  });
}
