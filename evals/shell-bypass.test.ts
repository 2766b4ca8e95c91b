import { execFile } from "node:child_process";
import { appendFile, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { COMPILE_CACHE } from "../e2e/compile-cache.ts";

const sample = fileURLToPath(new URL("./sample", import.meta.url));
const runner = fileURLToPath(new URL("./run.ts", import.meta.url));

function evaluate(corpora: string): Promise<{ readonly code: number; readonly output: string }> {
  const env = { ...process.env, DEPUTY_CORPORA: corpora, NODE_COMPILE_CACHE: COMPILE_CACHE };
  return new Promise((resolve) => {
    execFile(process.execPath, [runner, "shell-bypass"], { env }, (error, output) => {
      resolve({ code: error === null ? 0 : Number(error.code), output });
    });
  });
}

test("the sample is held, allowed, and compared with a first-word allowlist", async () => {
  const { code, output } = await evaluate(sample);
  expect(output).toMatch(/^all +5 +5 +0 +4$/m);
  expect(output).toContain("lines that must be allowed: 3, of which ask: 0");
  expect(output).toContain("shell-bypass: every target holds");
  expect(code).toBe(0);
});

test("a line that gets through misses the target", async () => {
  const directory = await mkdtemp(join(tmpdir(), "deputy-corpora-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await copyFile(join(sample, "shell-bypass.jsonl"), join(directory, "shell-bypass.jsonl"));
  await appendFile(
    join(directory, "shell-bypass.jsonl"),
    '{"id":"wrong","command":"ls","expect":"ask","class":"chain"}\n',
  );
  const { code, output } = await evaluate(directory);
  expect(output).toContain('missed: wrong: "ls"');
  expect(output).toContain("A TARGET IS MISSED");
  expect(code).toBe(1);
});
