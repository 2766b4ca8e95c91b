import type { PolicyTool } from "../policy.ts";

/** What the user says of some tools. The first rule that fits a call decides; none is needed. */
export interface PolicyRule {
  /** A pattern of paths, as `TOOL_PATTERN` says. */
  readonly tool: string;
  /** Only tools with this effect. */
  readonly effect?: PolicyTool["effect"] | undefined;
  /** `ask-once`: the first yes is for the rest of the session, whatever the values, where the tool takes that. */
  readonly decision: "allow" | "ask" | "ask-once" | "deny";
  /** Told to whoever is asked or refused. */
  readonly reason?: string | undefined;
  /**
   * For `allow`: also allows values that come only from untrusted text. For `ask-once`: so does the first yes, whatever
   * the tool.
   */
  readonly evenUntrusted?: boolean | undefined;
}

/** How often some tools may be called, together, before each further call asks. */
export interface CallBudget {
  readonly tool: string;
  readonly calls: number;
  readonly per: "turn" | "session" | "day";
}

/** Everything the user can say about calls beforehand. */
export interface PolicySettings {
  /** Patterns of tools that never run, whatever else says so. */
  readonly deny: readonly string[];
  readonly rules: readonly PolicyRule[];
  readonly budgets: readonly CallBudget[];
}
