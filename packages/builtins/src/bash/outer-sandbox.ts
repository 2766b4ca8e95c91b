/** Separates a command from the rest of this machine. */
export interface OuterSandbox {
  readonly level: SandboxLevel;
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
  /** True when processes that a command leaves behind always end with it. */
  readonly endsProcesses: boolean;
}
