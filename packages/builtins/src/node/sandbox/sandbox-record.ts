import { existsSync, writeFileSync } from "node:fs";
import { ToolsError } from "@deputy/tools";

/** Remembers whether commands were promised a sandbox here. It outlives the process, as answers and grants do. */
export interface SandboxRecord {
  wasPromised(): boolean;
  /** Durable enough to be there after a restart. Idempotent. Throws `sandbox_unavailable`. */
  promise(name: string): void;
}

export function createSandboxRecord(file: string): SandboxRecord {
  return {
    wasPromised: () => existsSync(file),
    promise(name) {
      if (existsSync(file)) return;
      try {
        writeFileSync(file, `Commands were promised ${name}.\n`, { mode: 0o600 });
      } catch (cause) {
        throw new ToolsError("sandbox_unavailable", "What commands run in could not be noted down", {
          cause,
        });
      }
    },
  };
}
