/** Runs commands on the host. */
export interface CommandRunner {
  /** What a command can reach, in words for the user: what the next one would run in. Never throws. */
  reach(): string;
  /**
   * Runs a command line and waits for it and everything it started. Rejects with `sandbox_unavailable`,
   * `command_failed` when it cannot be started at all, or the signal's reason, once all of it has ended.
   */
  run(order: CommandOrder, signal: AbortSignal): Promise<CommandResult>;
}

export interface CommandOrder {
  readonly command: string;
  /** Below the workspace. */
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Lines as they come; not all of them, when there are many. */
  readonly onLine: (line: string) => void;
  /** Whether its input stays open for `StartedCommand.write`; else it has none. */
  readonly input?: "none" | "open";
  /** Told once, as soon as it runs. */
  readonly onStart?: (started: StartedCommand) => void;
}

/** A command that runs. */
export interface StartedCommand {
  readonly pid: number;
  /** What it has written so far, as the result will have it. */
  output(): Pick<CommandResult, "stdout" | "stderr">;
  /** False when its input is not open, or not any more. `end` closes it. */
  write(text: string, then: "go_on" | "end"): boolean;
}

export interface CommandResult {
  readonly stdout: string;
  readonly stderr: string;
  /** As a shell tells it: 128 and the signal's number for one that was killed, 124 for one that took too long. */
  readonly exitCode: number;
  readonly timedOut: boolean;
  /** Bytes that were left out of the middle of each. */
  readonly cut: { readonly stdout: number; readonly stderr: number };
  readonly durationMs: number;
  /** What it ran in. */
  readonly sandbox: string;
}
