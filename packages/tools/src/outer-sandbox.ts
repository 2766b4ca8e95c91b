// The interface of outer sandboxes, as `docs/sandboxes.md` tells it to those who write one.

/**
 * What a module has as its default export whom `tools.bash.sandboxes` names. It may throw what keeps it from working
 * here: then no command runs.
 */
export type CreateSandbox = (given: {
  /** As the settings call it. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}) => OuterSandbox;

/**
 * Separates what Deputy starts from the rest of this machine: commands, and the process in which scripts are run.
 * Deputy tries everything that is promised before it relies on it.
 */
export interface OuterSandbox {
  /** Short: it is in the log and on cards. */
  readonly name: string;
  readonly promises: SandboxPromises;
  /**
   * What Deputy runs on this machine before each command: afterwards everything in that folder, which Deputy may have
   * written to since, is the command's to change. Left out where that is so anyway. Must not throw.
   */
  readonly handOver?: (folder: string) => Pick<SandboxedCommand, "file" | "args">;
  /** How to start that. Called once for each start. Must not throw. */
  enter(order: SandboxOrder): SandboxedCommand;
}

export interface SandboxPromises {
  /**
   * `view`: what the system's programs need of the disk, to read, and what the order mounts, under the names that it
   * gives. `all`: the machine as it is, under its own names; then nothing is contained.
   */
  readonly files: "view" | "all";
  /** `as_ordered`: there is no network where the order says so. */
  readonly network: "as_ordered" | "always";
  /** Whether whatever a command leaves behind ends with the process that was started. */
  readonly endsProcesses: boolean;
  /**
   * Limits of the order that are kept for all processes of a command together. Deputy itself limits computing, memory
   * and files of each process, and the time and the output of all.
   */
  readonly together: readonly ("memory" | "processes" | "cpu")[];
  /** Whether a command's processes count apart from the user's own, so that Deputy can limit their number. */
  readonly countsApart: boolean;
  /** Added to what a card says, such as `it runs as the user nobody`. */
  readonly note?: string;
}

export interface SandboxOrder {
  readonly file: string;
  readonly args: readonly string[];
  /** The whole environment; nothing of Deputy's own is passed on. */
  readonly env: Readonly<Record<string, string>>;
  /** By its name inside. */
  readonly cwd: string;
  /** In this order: a later one may lie in an earlier one. */
  readonly mounts: readonly SandboxMount[];
  /** Paths of this machine of which nothing may be seen, not through a mount that they lie in either. */
  readonly hidden: readonly string[];
  readonly network: "none" | "host";
  readonly limits: CommandLimits;
}

/** A file or folder of this machine, its path without links, under a name inside. */
export interface SandboxMount {
  readonly from: string;
  readonly at: string;
  readonly access: "read" | "write";
}

export interface CommandLimits {
  /** Computing, not waiting. */
  readonly cpuMs: number;
  readonly memoryBytes: number;
  readonly processes: number;
  /** The length of each file that is written. */
  readonly fileBytes: number;
}

/**
 * The process that is started on this machine. Its streams are the command's, and it ends as the command does. Deputy
 * ends its process group.
 */
export interface SandboxedCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Called once, when the process has ended: what the command was kept from, in words. Must not throw. */
  readonly ended?: () => readonly string[];
}
