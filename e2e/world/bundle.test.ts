import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { workflowStubs } from "../../apps/deputy/build/workflow-stubs.ts";
import type { Results } from "./setting.ts";

test("[WF24] bundled as it is packed, without what only other Worlds need, tasks of all templates run", async () => {
  const directory = mkdtempSync(join(tmpdir(), "world-bundle-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  await build({
    entryPoints: { child: fileURLToPath(new URL("child.ts", import.meta.url)) },
    outdir: directory,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    plugins: [workflowStubs],
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    logLevel: "silent",
  });
  const bytes = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  expect(bytes).toBeLessThan(3_000_000);
  const stdout = execFileSync(process.execPath, [join(directory, "child.mjs"), directory, "tasks", "1", ""], {
    encoding: "utf8",
    cwd: directory,
  });
  const { results } = JSON.parse(stdout) as { readonly results: Results };
  expect(results).toMatchObject({
    once0: ["once0/once/begin", "once0/once/approval_answered"],
    late0: ["late0/once/begin", "late0/once/approval_timed_out"],
    often0: expect.arrayContaining(["often0/f6/begin"]),
    event0: expect.arrayContaining(["event0/f6/begin"]),
  });
});
