import type { Label } from "@deputy/protocol";
import type { Origins } from "./origins.ts";

/**
 * Decides about one call, purely: the same request always gets the same answer, and is left as it was.
 * Never throws, never waits.
 */
export interface Policy {
  decide(request: PolicyRequest): PolicyDecision;
}

export interface PolicyRequest {
  readonly tool: PolicyTool;
  readonly input: unknown;
  /** sha256 of the canonical input, as grants bind it. */
  readonly inputHash: string;
  /** What is known of where the values in the model's context came from. */
  readonly labels: readonly Label[];
  /** Absent where nothing but the labels is known: then every critical value counts as untrusted once a label is. */
  readonly origins?: Origins;
  readonly grants: readonly Grant[];
  readonly nowMs: number;
}

/** What the policy needs to know of a tool. */
export interface PolicyTool {
  readonly path: string;
  readonly approval: "auto" | "required";
  readonly effect: "read" | "write" | "egress" | "destructive";
  readonly critical: readonly string[] | "all";
}

/**
 * A standing permission: for a tool, or for one exact input of it. It allows what would otherwise be
 * asked for, until it expires; what is denied stays denied.
 */
export interface Grant {
  readonly bindings: readonly { readonly toolPath: string; readonly inputHash?: string | undefined }[];
  readonly expiresAtMs?: number;
}

export interface PolicyDecision {
  readonly decision: "allow" | "ask" | "deny";
  /** Which rule decided. */
  readonly rule: string;
  /** Why, in words for the user; empty only when allowed. */
  readonly reasons: readonly string[];
}
