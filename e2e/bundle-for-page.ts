import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "./repository.ts";

/** A module of the repository as a page loads it. Fails for anything that only Node has. */
export async function bundleForPage(entry: string): Promise<string> {
  const built = await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2024",
    write: false,
    logLevel: "silent",
  });
  return built.outputFiles[0]?.text ?? "";
}
