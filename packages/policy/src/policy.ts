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
  /** Calls made before this one, for budgets; absent where nobody counts, and then every budget is used up. */
  readonly counts?: readonly CallCount[] | undefined;
  readonly nowMs: number;
}

/** How often a tool was called: in this turn, in this session, and in all sessions since the day began. */
export interface CallCount {
  readonly toolPath: string;
  readonly turn: number;
  readonly session: number;
  readonly day: number;
}

/** What the policy needs to know of a tool. */
export interface PolicyTool {
  readonly path: string;
  readonly approval: "auto" | "required";
  readonly effect: "read" | "write" | "egress" | "destructive";
  readonly critical: readonly string[] | "all";
  /** The widest grant that lets a call of it through; absent: `tool`. */
  readonly grantable?: "tool" | "input";
  /** JSON Schema of the input: tells names that the tool has from keys that somebody chose. */
  readonly inputSchema?: unknown;
}

/**
 * A standing permission: for a tool, or for one exact input of it. It allows what would otherwise be
 * asked for, until it expires; what is denied stays denied. One for a tool says nothing of values that
 * only untrusted text explains, nor of budgets: these ask again.
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
  /** Of `ask`: the widest grant that would have allowed it. An answer for longer than that changes nothing. */
  readonly grantable?: "tool" | "input";
  /** Of `ask`: present where a yes is meant for the rest of the session, unless the user says otherwise. */
  readonly askOnce?: true;
}
