import type { FileSystem } from "@deputy/vfs";
import type { Channel } from "./io/channel.ts";

export interface CommandRun {
  /** The name first, as it was called. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly stdin: Channel;
  readonly stdout: Channel;
  readonly stderr: Channel;
  /** Every open descriptor, 0 to 2 among them; `/dev/fd/N` names one. */
  readonly descriptors: ReadonlyMap<number, Channel>;
  readonly fileSystem: FileSystem;
  readonly umask: number;
  /** Aborted when the command is to end at once. */
  readonly signal: AbortSignal;
}

/** A program. Rejects only if it is broken: what goes wrong for a user is a message and an exit code. */
export interface ExternalCommand {
  /** Where it is, as `type` shows it. */
  readonly path: string;
  /** Resolves with the exit code; 128 + N after signal N. A `BrokenPipe` that it lets through is 141. */
  run(run: CommandRun): Promise<number>;
}

/** The programs that a shell can start. */
export interface CommandTable {
  /** By name (`grep`) or by path (`/bin/grep`); undefined if there is none. Never throws. */
  find(name: string): ExternalCommand | undefined;
  /** The names of all, for completion. */
  names(): readonly string[];
}
