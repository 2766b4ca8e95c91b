import type { Grant, PolicyRequest, PolicyTool } from "@deputy/policy";
import type { Label } from "@deputy/protocol";
import * as fc from "fast-check";

export const NOW_MS = 1_000_000;
export const HASH = "a".repeat(64);
export const untrusted: Label = { trust: "untrusted", source: "mail.read" };

/** An unproblematic call of `mail.send`, with the given changes. */
export function requestOf(
  change: { readonly tool?: Partial<PolicyTool> } & Partial<Omit<PolicyRequest, "tool">>,
): PolicyRequest {
  const tool: PolicyTool = {
    path: "mail.send",
    approval: "auto",
    effect: "read",
    critical: "all",
    ...change.tool,
  };
  return { input: {}, inputHash: HASH, labels: [], grants: [], nowMs: NOW_MS, ...change, tool };
}

/** Names that often match each other, and some with a special meaning for objects. */
const anyPath = fc.constantFrom("mail.send", "mail.read", "mail", "files.delete", "toString", "__proto__");
const anyHash = fc.constantFrom(HASH, "b".repeat(64));

export const anyGrant: fc.Arbitrary<Grant> = fc.record(
  {
    bindings: fc.array(fc.record({ toolPath: anyPath, inputHash: fc.option(anyHash, { nil: undefined }) }), {
      maxLength: 3,
    }),
    expiresAtMs: fc.integer({ min: NOW_MS - 2, max: NOW_MS + 2 }),
  },
  { requiredKeys: ["bindings"] },
);

export const anyRequest: fc.Arbitrary<PolicyRequest> = fc.record({
  tool: fc.record({
    path: anyPath,
    approval: fc.constantFrom("auto" as const, "required" as const),
    effect: fc.constantFrom("read" as const, "write" as const, "egress" as const, "destructive" as const),
    critical: fc.oneof(fc.constant("all" as const), fc.array(fc.string(), { maxLength: 3 })),
  }),
  input: fc.jsonValue(),
  inputHash: anyHash,
  labels: fc.array(
    fc.record({
      trust: fc.constantFrom("user" as const, "trusted" as const, "untrusted" as const),
      source: fc.constantFrom("user", "mail.read", "web.fetch", "__proto__"),
    }),
    { maxLength: 4 },
  ),
  grants: fc.array(anyGrant, { maxLength: 4 }),
  nowMs: fc.constant(NOW_MS),
});

/** The same value, frozen so that any attempt to change it throws. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const key of Reflect.ownKeys(value)) deepFreeze<unknown>(Reflect.get(value, key));
  return Object.freeze(value);
}
