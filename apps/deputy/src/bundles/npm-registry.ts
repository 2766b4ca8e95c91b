import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Home } from "../home.ts";

const ANSWER_MS = 10_000;

/** Where npm packages come from: as the settings say, or as npm itself is set up here; undefined without npm. */
export async function findNpmRegistry(
  { config }: Pick<Home, "config">,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (config.bundles.npm !== undefined) return config.bundles.npm;
  const ask = promisify(execFile)("npm", ["config", "get", "registry"], { timeout: ANSWER_MS, signal });
  const said = await ask.then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );
  signal.throwIfAborted();
  return said !== undefined && /^https?:/.test(said) && URL.canParse(said) ? said : undefined;
}
