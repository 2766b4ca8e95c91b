/** Separates a command from the rest of this machine. */
export interface OuterSandbox {
  readonly level: SandboxLevel;
  /**
   * To be called before each command: everything in its folder, which Deputy may have written to since, becomes the
   * command's to change. Idempotent. Rejects with `sandbox_unavailable`, or the signal's reason.
   */
  prepare(folder: string, signal: AbortSignal): Promise<void>;
  /** The command as it is really started. */
  wrap(command: HostCommand): HostCommand;
}

export interface HostCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** On the disk of this machine; a sandbox may show it under another name. */
  readonly folder: string;
  /** Below the folder; `""` for the folder itself. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The protection that every command gets. Each question about a command shows it, and it is never lowered silently.
 */
export interface SandboxLevel {
  readonly name: "none" | "bubblewrap";
  /** What a command can reach, described for the user. */
  readonly reach: string;
  /**
   * True when a command can change nothing but the workspace and reach nobody, so that whatever it runs does no harm
   * before the user has reviewed it.
   */
  readonly contains: boolean;
  /** True when processes that a command leaves behind always end with it. */
  readonly endsProcesses: boolean;
}
