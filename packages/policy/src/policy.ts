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
  /** How many calls came before this one, for budgets. If it is absent, every budget counts as used up. */
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
  /** True if the user may allow all calls of it, whatever the values; absent: if it reads or writes. */
  readonly anyValues?: boolean;
  /** True if what it is given stays with Deputy: nothing leaves by it, and what it changes is reviewed later. */
  readonly isLocal?: boolean;
  /** Who wrote the schema, if neither Deputy nor the user did: what it says of itself makes nothing more permissive. */
  readonly describedBy?: string;
  /** JSON Schema of the input: tells names that the tool has from keys that somebody chose. */
  readonly inputSchema?: unknown;
}

/**
 * A lasting permission for a tool, or for one exact input of it. Until it expires, it allows what would
 * otherwise ask; what is denied stays denied. A grant for a tool does not cover exceeded budgets, nor calls with
 * critical values that nothing explains, unless the user saw these together when granting it, or granted it whatever
 * the values.
 */
export interface Grant {
  readonly bindings: readonly GrantBinding[];
  readonly expiresAtMs?: number;
}

export interface GrantBinding {
  readonly toolPath: string;
  readonly inputHash?: string | undefined;
  /** Values that the user saw together, by their places in the input. */
  readonly values?: Readonly<Record<string, readonly (string | number | boolean)[]>> | undefined;
  readonly anyValues?: true | undefined;
}

export interface PolicyDecision {
  readonly decision: "allow" | "ask" | "deny";
  /** Which rule decided. */
  readonly rule: string;
  /** Why, in words for the user; empty only when allowed. */
  readonly reasons: readonly string[];
  /**
   * Only for `ask`: whether a grant of the tool would help with calls like this one, or only one of its exact input.
   */
  readonly grantable?: "tool" | "input";
  /** Only for `ask`: present if the user can allow all calls of the tool in this session, whatever the values. */
  readonly anyValues?: true;
  /** Only for `ask`: present if an approval is meant for the rest of the session by default. */
  readonly askOnce?: true;
}
