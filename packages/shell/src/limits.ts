/** What a script may use. Whatever goes beyond ends the whole script with a `ShellError` of that name. */
export interface ShellLimits {
  /** Commands and rounds of loops. */
  readonly steps: number;
  readonly wallMs: number;
  /** Bytes written to the caller's stdout and stderr together. */
  readonly outputBytes: number;
  /** Subshells and commands that run at the same time. */
  readonly processes: number;
  /** Functions, sourced files and subshells inside each other. */
  readonly depth: number;
  /** Bytes that one substitution or here-document may hold. */
  readonly expansionBytes: number;
}

export const defaultShellLimits: ShellLimits = {
  steps: 50_000_000,
  wallMs: 120_000,
  outputBytes: 64 * 1024 * 1024,
  processes: 256,
  depth: 500,
  expansionBytes: 64 * 1024 * 1024,
};
