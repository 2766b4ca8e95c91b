import { makeVisible } from "@deputy/kit";
import { ToolsError } from "@deputy/tools";
import type { OuterSandbox } from "../bash/outer-sandbox.ts";
import { type BubblewrapOptions, createBubblewrap } from "./bubblewrap.ts";
import { probeBubblewrap } from "./probe-bubblewrap.ts";
import { existsSync, writeFileSync } from "node:fs";

/** `auto`: bubblewrap where it works, else none, unless it worked before; `bubblewrap`: that or nothing. */
export type SandboxChoice = "auto" | "bubblewrap" | "none";

/**
 * Chooses the sandbox for commands on this machine by trying it. It is never weaker than an earlier process promised,
 * because the user's old approvals and grants may be used only now. Throws `sandbox_unavailable`.
 */
export function chooseSandbox(
  choice: SandboxChoice,
  options: BubblewrapOptions,
  record: SandboxRecord,
): OuterSandbox {
  if (choice === "none") return createNoSandbox();
  const why = probeBubblewrap(options);
  if (why === undefined) {
    record.promise();
    return createBubblewrap(options);
  }
  if (choice === "auto" && !record.wasPromised()) return createNoSandbox(why);
  throw new ToolsError(
    "sandbox_unavailable",
    `Commands may only run in bubblewrap, which does not work${choice === "auto" ? " any more" : ""}: ${why}`,
    {
      hint: 'Install bubblewrap, or allow commands without it: tools.bash.sandbox "none".',
    },
  );
}

/** No sandbox: a command has all rights of the user. `why`: what keeps this machine from having one. */
export function createNoSandbox(why?: string): OuterSandbox {
  const because = why === undefined ? "" : ` (it does not work here: ${makeVisible(why)})`;
  return {
    level: {
      name: "none",
      reach: `No sandbox${because}: it can read and change everything that you can, Deputy's home included, and use the network.`,
      contains: false,
      endsProcesses: false,
    },
    prepare: async () => undefined,
    wrap: (command) => command,
  };
}

/** Remembers whether commands were promised bubblewrap here. It outlives the process, as answers and grants do. */
interface SandboxRecord {
  wasPromised(): boolean;
  /** Durable enough to be there after a restart. Idempotent. Throws `sandbox_unavailable`. */
  promise(): void;
}

export function createSandboxRecord(file: string): SandboxRecord {
  return {
    wasPromised: () => existsSync(file),
    promise() {
      if (existsSync(file)) return;
      try {
        writeFileSync(file, "Commands were promised bubblewrap.\n", { mode: 0o600 });
      } catch (cause) {
        throw new ToolsError("sandbox_unavailable", "What commands run in could not be noted down", {
          cause,
        });
      }
    },
  };
}
