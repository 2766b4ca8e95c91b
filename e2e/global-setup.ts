import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { openScratchMemory } from "./scratch-memory.ts";

/** Vitest's global setup. A process of its own builds, since vitest would not run the bundler's sources as Node does. */
export function setup(): () => void {
  const script = fileURLToPath(new URL("test-bundle.ts", import.meta.url));
  process.env["DEPUTY_TEST_BUNDLE"] = execFileSync(process.execPath, [script], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const scratch = openScratchMemory();
  if (scratch !== undefined) process.env["TMPDIR"] = scratch.path;
  return () => scratch?.[Symbol.dispose]();
}
