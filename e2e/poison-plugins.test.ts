import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runDeputy, scratchDirectory } from "./run-deputy.ts";

test("[E722] a plugin that exits or loops while loading does not end its loader", async () => {
  using other = scratchDirectory();
  const check = async (text: string, ...args: string[]) => {
    const plugin = join(other.path, "loads.ts");
    writeFileSync(plugin, text);
    return await runDeputy(["tools", "types", "--tools", plugin, "--home", other.path, ...args]);
  };
  const exits = await check("process.exit(0);");
  expect(exits.code).toBe(1);
  expect(exits.stderr).toMatch(
    /loads\.ts could not be loaded: it ended its process \(exit code 0\) \(plugin_failed\)/,
  );
  const wrong = await check("const n: number = 1;\nexport default {\n");
  expect(wrong.stderr).toMatch(/loads\.ts:\d+\) \(plugin_failed\)\n +Fix that line; .*deputy tools remove/);
});
