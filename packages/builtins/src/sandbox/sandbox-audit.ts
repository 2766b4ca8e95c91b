import type { SandboxOrder } from "@deputy/tools";

/** Called once for each command, and each script in a sandbox, when it has ended. Must not throw. */
export type SandboxAudit = (entry: SandboxEntry) => void;

export interface SandboxEntry {
  readonly what: "command" | "script";
  /** The whole line or script. */
  readonly line: string;
  readonly session: string | undefined;
  /** The sandbox. */
  readonly place: string;
  readonly order: Pick<SandboxOrder, "mounts" | "network" | "limits">;
  readonly exitCode: number;
  readonly durationMs: number;
  /** What it was kept from, as far as it is known, in words. */
  readonly denied: readonly string[];
}
