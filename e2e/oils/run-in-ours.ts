import { join } from "node:path";
import type { ExternalCommand } from "@deputy/shell";
import { helperCommands } from "./helper-programs.ts";
import type { OilsCase } from "./read-cases.ts";
import { environmentOf, type Ran, type Setting } from "./run-in-bash.ts";
import { loadOwnTools, readData, runInScratchShell } from "./scratch-shell.ts";

const CASE_MS = 10_000;
const CASE_STEPS = 3_000_000;

/** Runs cases in the shell of this project, with its own tools. */
export async function openOurs(
  checkout: string,
): Promise<(test: OilsCase, setting: Setting) => Promise<Ran>> {
  const tools = await loadOwnTools();
  const data = readData(join(checkout, "spec"));
  return async (test, setting) => {
    const more = new Map<string, ExternalCommand>();
    for (const [name, run] of helperCommands) {
      const path = join(setting.helpers, name);
      for (const at of [name, path]) more.set(at, { path, run });
    }
    return await runInScratchShell({
      script: "exec /bin/bash",
      stdin: Buffer.from(test.code, "latin1"),
      env: environmentOf(setting),
      folder: setting.folder,
      tools,
      mounts: [{ at: join(setting.checkout, "spec"), base: data }],
      more,
      wallMs: CASE_MS,
      steps: CASE_STEPS,
    });
  };
}
