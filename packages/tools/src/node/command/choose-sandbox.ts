import type { OuterSandbox } from "../../builtins/outer-sandbox.ts";
import { ToolsError } from "../../tools-error.ts";
import { type BubblewrapOptions, createBubblewrap, probeBubblewrap } from "./bubblewrap.ts";
import { createNoSandbox } from "./no-sandbox.ts";

/** `auto`: bubblewrap where it works, else none; `bubblewrap`: that or nothing. */
export type SandboxChoice = "auto" | "bubblewrap" | "none";

/** What commands run in on this machine, found out by trying it. Throws `sandbox_unavailable`. */
export function chooseSandbox(choice: SandboxChoice, options: BubblewrapOptions): OuterSandbox {
  if (choice === "none") return createNoSandbox();
  const why = probeBubblewrap(options);
  if (why === undefined) return createBubblewrap(options);
  if (choice === "auto") return createNoSandbox();
  throw new ToolsError(
    "sandbox_unavailable",
    `Commands may only run in bubblewrap, which does not work: ${why}`,
    {
      hint: "Install bubblewrap, or allow commands without it: tools.bash.sandbox.",
    },
  );
}
