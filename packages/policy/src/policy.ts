import type { Label } from "@deputy/protocol";

/** Decides about one call, purely: the same request always gets the same answer. */
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

/** A standing permission: for a tool, or for one exact input of it. */
export interface Grant {
  readonly bindings: readonly { readonly toolPath: string; readonly inputHash?: string | undefined }[];
  readonly expiresAtMs?: number;
}

export interface PolicyDecision {
  readonly decision: "allow" | "ask" | "deny";
  /** Which rule decided. */
  readonly rule: string;
  /** Why, in words for the user. */
  readonly reasons: readonly string[];
}
