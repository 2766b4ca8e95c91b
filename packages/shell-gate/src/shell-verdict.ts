/** What the gate says of a command line, and why, in words that name the command, path or option. */
export interface ShellVerdict {
  /** `allow`: everything it does is understood and permitted. `deny`: it reaches for what no approval opens. */
  readonly verdict: "allow" | "ask" | "deny";
  /** Empty exactly when it is allowed. */
  readonly reasons: readonly string[];
}
