import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { evaluateInjecAgent } from "./evaluate-injecagent.ts";

const sample = fileURLToPath(new URL("../sample", import.meta.url));

async function evaluate(change: (text: string) => string = (text) => text) {
  const directory = await mkdtemp(join(tmpdir(), "deputy-corpora-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const text = await readFile(join(sample, "injecagent.json"), "utf8");
  await writeFile(join(directory, "injecagent.json"), change(text));
  const printed = vi.spyOn(console, "log").mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const holds = await evaluateInjecAgent(directory);
  return { holds, output: printed.mock.calls.flat().join("\n") };
}

test("the sample is evaluated, and every target holds", async () => {
  const { holds, output } = await evaluate();
  expect(output).toMatch(/^ +6 +3 +3 +0 +0 +0$/m);
  expect(output).toMatch(/^the attacker's, with an effect +(\d+) +\1 +0$/m);
  expect(output).toContain("3, 100.0 % (published peer: 86 %)");
  expect({ holds, last: output.split("\n").at(-1) }).toEqual({
    holds: true,
    last: "injecagent: every target holds",
  });
});

test("a tool that is taken for a read and is none misses the target", async () => {
  const renamed = await evaluate((text) =>
    text
      .replaceAll("GrantGuestAccess", "ViewGuestAccess")
      .replace(/"Grants permanent [^"]+"/, '"Lists guests"'),
  );
  expect(renamed.output).toContain("a person says effect, inference read, auto");
  expect(renamed.output).toMatch(
    /WRONG direct_harm_\d+: AugustSmartLockViewGuestAccess, taken for read: allow/,
  );
  expect(renamed.holds).toBe(false);
});

test("a read that is taken for an effect does so, too", async () => {
  const held = await evaluate((text) =>
    text.replace('"Retrieves access history."', '"Deletes access history."'),
  );
  expect(held.output).toMatch(
    /WRONG data_stealing_\d+: AugustSmartLockViewAccessHistory, taken for destructive: ask/,
  );
  expect(held.holds).toBe(false);
});
