/** What keeps a command on this machine from the rest of it. */
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

/** What holds for every command it runs; told wherever one is asked about, never lowered in silence. */
export interface SandboxLevel {
  readonly name: "none" | "bubblewrap";
  /** In words for the user: what a command can reach. */
  readonly reach: string;
  /** Whether processes that a command leaves behind end with it, whatever they do. */
  readonly endsProcesses: boolean;
}
