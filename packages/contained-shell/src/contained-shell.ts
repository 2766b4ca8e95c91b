import type { ShellErrorCode } from "@deputy/shell";
import type { Skipped, TreeChange } from "@deputy/workspace";

/** Runs scripts over the files of a workspace, each time as they are then. Nothing else can be read or changed. */
export interface ContainedShell extends AsyncDisposable {
  /**
   * Runs to the end. What the script did to the files is in the result and nowhere else: whoever wants it kept applies
   * it. A script that a limit or an abort ended has changed nothing. Rejects with the signal's reason.
   */
  run(run: ContainedRun, streams: ContainedStreams, signal: AbortSignal): Promise<ContainedResult>;
  /** A shell that keeps its variables, functions, folder and `/tmp` from one run to the next. */
  open(): ContainedSession;
}

export interface ContainedSession extends AsyncDisposable {
  run(run: ContainedRun, streams: ContainedStreams, signal: AbortSignal): Promise<ContainedResult>;
}

export interface ContainedRun {
  readonly script: string;
  /** `$0`; the default is `bash`. */
  readonly name?: string;
  /** `$1`… */
  readonly args?: readonly string[];
  /** On top of what every script has. */
  readonly env?: Readonly<Record<string, string>>;
  /** A folder of the workspace, relative to it. */
  readonly cwd?: string;
  readonly limits?: Partial<ContainedLimits>;
}

export interface ContainedStreams {
  /** Called each time a command wants more; nothing is the end. Left out, there is no input. */
  readonly input?: (signal: AbortSignal) => Promise<Uint8Array>;
  /** 1 is stdout, 2 is stderr. */
  readonly output: (stream: 1 | 2, bytes: Uint8Array) => void;
}

/** The shell's own limits, and those of the thread that it runs in. */
export type ContainedLimitName = ShellErrorCode | "cpu_limit" | "memory_limit" | "crashed";

export interface ContainedResult {
  readonly end:
    | { readonly kind: "exited"; readonly exitCode: number }
    /** `message` is for the user. */
    | { readonly kind: "limit"; readonly limit: ContainedLimitName; readonly message: string };
  readonly changes: readonly TreeChange[];
  /** What the script made that a workspace cannot hold. */
  readonly leftOut: readonly Skipped[];
  /** True if the script said `exit`, which ends a session. */
  readonly exited: boolean;
  /** Where it ended: a path inside, such as `/workspace/src`. */
  readonly cwd: string;
}

/** As a shell would say it of a command that was ended: 124 for its time, 137 for anything else. */
export function exitCodeOf({ end }: Pick<ContainedResult, "end">): number {
  if (end.kind === "exited") return end.exitCode;
  return end.limit === "wall_limit" ? 124 : 137;
}

export interface ContainedLimits {
  /** From start to end, waiting included. */
  readonly wallMs: number;
  /** What its thread may compute. */
  readonly cpuMs: number;
  /** Bytes written to both streams. */
  readonly outputBytes: number;
  /** What files may grow by, all together. */
  readonly fileBytes: number;
  /** Commands and subshells at the same time. */
  readonly processes: number;
}

export const defaultContainedLimits: ContainedLimits = {
  wallMs: 120_000,
  cpuMs: 60_000,
  outputBytes: 16 * 1024 * 1024,
  fileBytes: 256 * 1024 * 1024,
  processes: 64,
};
