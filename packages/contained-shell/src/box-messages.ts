import type { BundledCommand } from "@deputy/bundles";
import type { HostAnswer, HostRequest } from "@deputy/host-commands";
import type { Skipped, TreeChange } from "@deputy/workspace";
import type { Brought } from "./bundled-commands.ts";
import type { ContainedLimitName, ContainedLimits, ContainedRun } from "./contained-shell.ts";

/** What a thread is asked. One run at a time. */
export type ToBox =
  | {
      readonly kind: "run";
      readonly run: Omit<ContainedRun, "limits">;
      readonly limits: ContainedLimits;
      /** Where the files of the workspace are now; undefined for one that has none yet. */
      readonly folder: string | undefined;
      /** Where the repository of the workspace is; undefined if there is none to keep. */
      readonly repository: string | undefined;
      /** "keep": the shell is there for the next run. */
      readonly session: "keep" | "fresh";
      /** What installed bundles bring: their commands, and files by absolute path. */
      readonly bundles: {
        readonly commands: readonly BundledCommand[];
        readonly files: ReadonlyMap<string, Uint8Array>;
      };
    }
  /** An answer to `program`. */
  | { readonly kind: "program"; readonly sha256: string; readonly brought: Brought }
  /** An answer to `fetch`. */
  | { readonly kind: "fetched"; readonly id: number; readonly answer: HostAnswer }
  /** An answer to `read`; none is the end. */
  | { readonly kind: "input"; readonly bytes: Uint8Array }
  | { readonly kind: "stop" };

export type FromBox =
  | { readonly kind: "ready" }
  | { readonly kind: "output"; readonly stream: 1 | 2; readonly bytes: Uint8Array }
  | { readonly kind: "read" }
  /** A command of a bundle wants its program. */
  | { readonly kind: "program"; readonly sha256: string }
  /** A command wants to ask somebody. */
  | { readonly kind: "fetch"; readonly id: number; readonly request: HostRequest }
  | {
      readonly kind: "done";
      readonly exitCode: number;
      readonly exited: boolean;
      readonly cwd: string;
      readonly changes: readonly TreeChange[];
      readonly leftOut: readonly Skipped[];
      /** What `git` did to the repository. */
      readonly repository: readonly TreeChange[];
    }
  | { readonly kind: "limit"; readonly limit: ContainedLimitName; readonly message: string }
  | { readonly kind: "stopped" }
  /** A bug: its text. */
  | { readonly kind: "failed"; readonly message: string };
