import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import type { CrashChild } from "./crash-run.ts";

/** SQLite cannot be in a snapshot: each process loads it itself. */
const LATE_SQLITE: Plugin = {
  name: "late-sqlite",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:sqlite$/ }, () => ({ path: "late", namespace: "late-sqlite" }));
    const contents = `exports.DatabaseSync = function (...args) {
  return new (process.getBuiltinModule("node:sqlite").DatabaseSync)(...args);
};`;
    onLoad({ filter: /./, namespace: "late-sqlite" }, () => ({ contents }));
  },
};

/** `crash-child.ts` is started hundreds of times: from a snapshot it takes half the time. */
export async function buildChild(folder: string): Promise<CrashChild> {
  const [script, snapshot] = [join(folder, "child.cjs"), join(folder, "child.snapshot")];
  const source = fileURLToPath(new URL("crash-child.ts", import.meta.url));
  await build({
    entryPoints: [source],
    bundle: true,
    minify: true,
    platform: "node",
    format: "cjs",
    outfile: script,
    plugins: [LATE_SQLITE],
  });
  execFileSync(process.execPath, ["--snapshot-blob", snapshot, "--build-snapshot", script]);
  return { script, snapshot };
}
