/** Ends the shell (or the subshell) that runs, with a status. `EXIT` traps run on the way. */
export class ExitShell extends Error {
  readonly status: number;
  /** True if a signal ended it: no trap runs. */
  readonly killed: boolean;

  constructor(status: number, killed = false) {
    super("exit");
    this.status = status;
    this.killed = killed;
  }
}

/** Ends the command line that runs; the next line goes on, as bash does after a failed expansion. */
export class Discard extends Error {
  readonly status: number;
  /** `all`: also what `eval` and `bash -c` have left to run. */
  readonly scope: "command" | "all";

  constructor(status: number, scope: "command" | "all" = "command") {
    super("discard");
    this.status = status;
    this.scope = scope;
  }
}

/** What `break`, `continue` and `return` have set in motion. */
export type Flow =
  | { readonly kind: "break" | "continue"; levels: number }
  | { readonly kind: "return"; readonly status: number };
