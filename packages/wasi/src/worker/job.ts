import type { Preopen } from "../host/descriptor.ts";
import type { ProgramLimits, ProgramOutcome } from "../run/run-program.ts";

/** One program to run in a worker, over files of its own. Everything in it can be cloned to another thread. */
export interface WasiJob {
  readonly module: WebAssembly.Module;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: Uint8Array;
  /** What is in the file system's root before it runs: absolute paths without the first slash. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly preopens: readonly Preopen[];
  readonly limits?: Partial<ProgramLimits>;
}

/** What a program changed in its files. */
export type JobChange =
  | { readonly kind: "deleted"; readonly path: string }
  | { readonly kind: "directory"; readonly path: string; readonly mode: number }
  | { readonly kind: "symlink"; readonly path: string; readonly target: string }
  | { readonly kind: "file"; readonly path: string; readonly mode: number; readonly bytes: Uint8Array };

/** What a worker says while it runs a job. "ended" and "failed" are its last words on it. */
export type JobMessage =
  | { readonly kind: "output"; readonly stream: "stdout" | "stderr"; readonly bytes: Uint8Array }
  | { readonly kind: "ended"; readonly outcome: ProgramOutcome; readonly changes: readonly JobChange[] }
  | { readonly kind: "failed"; readonly message: string };
