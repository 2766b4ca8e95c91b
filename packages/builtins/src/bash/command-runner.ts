/** Runs commands on the host. */
export interface CommandRunner {
  /** Describes for the user what the next command would be able to reach. Never rejects. */
  reach(): Promise<string>;
  /** True when the next command could do no harm outside the workspace; see `CommandPlace`. Never rejects. */
  isContained(): Promise<boolean>;
  /**
   * Runs a command line and waits for it and everything it started. Rejects with `sandbox_unavailable`, with
   * `command_failed` when it cannot be started, or with the signal's reason, once all of its processes have ended.
   */
  run(order: CommandOrder, signal: AbortSignal): Promise<CommandResult>;
}

export interface CommandOrder {
  readonly command: string;
  /** Below the workspace. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** For whom it runs, for the log. */
  readonly session?: string | undefined;
  /** No file that it writes becomes longer; whatever tries is ended. */
  readonly maxFileBytes?: number;
  /** Lines as they come; not all of them, when there are many. */
  readonly onLine: (line: string) => void;
  /** `open` keeps its input open for `StartedCommand.write`; otherwise it has none. */
  readonly input?: "none" | "open";
  /** Called once, as soon as it runs. */
  readonly onStart?: (started: StartedCommand) => void;
}

/** A command that runs. */
export interface StartedCommand {
  readonly pid: number;
  /** Its output so far, in the form of the result. */
  output(): Pick<CommandResult, "stdout" | "stderr">;
  /** False when its input is not open, or not any more. `end` closes it. */
  write(text: string, then: "go_on" | "end"): boolean;
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /**
   * The code that a shell would give: 128 plus the signal's number for a killed command, 124 for one that took too
   * long.
   */
  readonly exitCode: number;
  readonly timedOut: boolean;
  /** Bytes that were left out of the middle of each. */
  readonly cut: { readonly stdout: number; readonly stderr: number };
  readonly durationMs: number;
  /** The limits that ended it, or that it met, for the user. */
  readonly stopped?: string;
  /** The name of the sandbox it ran in. */
  readonly sandbox: string;
}
