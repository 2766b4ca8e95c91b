import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCatalogue } from "@deputy/tools";
import { expect, onTestFinished, test } from "vitest";
import { configSchema } from "../config.ts";
import { openBuiltins } from "./open-builtins.ts";

const hasBubblewrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "true"]).status === 0;

/** Whether a command asks, with these settings, in a sandbox that is really there. */
async function approvalOf(bash: object): Promise<unknown> {
  const directory = mkdtempSync(join(tmpdir(), "deputy-contained-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const config = configSchema.parse({ tools: { bash } });
  const tool = createCatalogue([await openBuiltins({ directory, config }, process.env)]).get("bash.run");
  const parsed = await tool?.parseInput({ command: "make all" });
  if (tool === undefined || parsed?.kind !== "ok") throw new Error("bash.run cannot be called so");
  return ((await tool.termsOf?.(parsed.input)) ?? tool).approval;
}

test.skipIf(!hasBubblewrap)(
  "[E951] autoAllowIfSandboxed lets commands run without asking where bubblewrap contains them, and nowhere else",
  async () => {
    expect(await approvalOf({ autoAllowIfSandboxed: true })).toBe("auto");
    expect(await approvalOf({})).toBe("required");
    expect(await approvalOf({ autoAllowIfSandboxed: true, sandbox: "none" })).toBe("required");
    expect(await approvalOf({ autoAllowIfSandboxed: true, network: true })).toBe("required");
  },
);
