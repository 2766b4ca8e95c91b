import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { COMPILE_CACHE } from "../e2e/compile-cache.ts";

const sample = fileURLToPath(new URL("./sample", import.meta.url));
const runner = fileURLToPath(new URL("./run.ts", import.meta.url));

function evaluate(corpora: string | undefined): Promise<{ readonly code: number; readonly output: string }> {
  const { DEPUTY_CORPORA: _, ...rest } = process.env;
  const env = {
    ...rest,
    ...(corpora === undefined ? {} : { DEPUTY_CORPORA: corpora }),
    NODE_COMPILE_CACHE: COMPILE_CACHE,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [runner, "typed-corpora"], { env }, (error, output) => {
      resolve({ code: error === null ? 0 : Number(error.code), output });
    });
  });
}

/** Files of the sample, each with the text to put in place of another. */
type Changes = Readonly<Record<string, readonly (readonly [from: string | RegExp, to: string])[]>>;

async function sampleWith(changes: Changes): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "deputy-corpora-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await cp(sample, directory, { recursive: true });
  for (const [name, replacements] of Object.entries(changes)) {
    const path = join(directory, name);
    let text = await readFile(path, "utf8");
    for (const [from, to] of replacements) text = text.replace(from, to);
    await writeFile(path, text);
  }
  return directory;
}

test("the sample is evaluated from end to end, and every target holds", async () => {
  const { code, output } = await evaluate(sample);
  expect(output).toMatch(/^AgentDojo +3 +3 +0 +0$/m);
  expect(output).toMatch(/^τ² +21 +21 +0 +0$/m);
  expect(output).toMatch(/^BFCL +16 +15 +1 +0$/m);
  expect(output).toContain("BFCL:   1 × the truth has a string where the schema says integer");
  for (const mistake of ["wrong type", "missing required", "misspelt key", "extra key", "wrong enum value"]) {
    expect(output).toMatch(new RegExp(`^${mistake} +[1-9]\\d* +[1-9]\\d* +0 +100.00 %$`, "m"));
  }
  expect(output).toMatch(/^fraction for a whole number \* +1\d +0 +1\d +0.00 %$/m);
  expect(output).toContain(
    "5 programs, 19 calls\nresults, errors and databases that differ from the record: 0",
  );
  expect(output).toMatch(/^typecheck first +(\d+) +\1 +0 +0 +0 +0$/m);
  expect(output).toMatch(/^nothing .* [1-9]\d*$/m);
  expect({ code, last: output.trim().split("\n").at(-1) }).toEqual({
    code: 0,
    last: "typed-corpora: every target holds",
  });
});

test("a truth, a result or a database that is otherwise misses a target", async () => {
  const changed = await sampleWith({
    "agentdojo-banking-slack.json": [['"amount": 3.5', '"amount": "3.5"']],
    "tau2.json": [
      ['"result": "4.5"', '"result": "4.6"'],
      [/"db_hash_final": "[0-9a-f]{8}/, '"db_hash_final": "00000000'],
    ],
  });
  const { code, output } = await evaluate(changed);
  expect(output).toMatch(/^AgentDojo +3 +2 +1 +0$/m);
  expect(output).toContain("modify items: call 3 (calculate) ends otherwise");
  expect(output).toContain("modify items: the database ends otherwise");
  expect(output).toContain("typed-corpora: A TARGET IS MISSED");
  expect(code).toBe(1);
});

test("without corpora it says so and fails nobody", async () => {
  expect(await evaluate(undefined)).toEqual({
    code: 0,
    output: "SKIPPED typed-corpora: DEPUTY_CORPORA names no directory with the corpora.\n",
  });
});
