import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { namedFiles } from "./named-files.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "deputy-test-"));
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "run.sh"), "echo one");
  writeFileSync(join(folder, "sub", "data.txt"), "1");
});
afterEach(() => rmSync(folder, { recursive: true }));

test.each([
  "sh run.sh",
  "cat<run.sh",
  "sh 'run.sh'; date",
  "X=run.sh sh $X",
  "cat sub/../run.sh|wc",
  "sh ./run.sh",
])("[TB20] %s names a file, and what is in it counts (GC28)", (command) => {
  const before = namedFiles(command, folder);
  expect(namedFiles(command, folder)).toBe(before);
  writeFileSync(join(folder, "run.sh"), "echo two");
  expect(namedFiles(command, folder)).not.toBe(before);
});

test("[TB20] a file that comes or goes is a change; one that is not named is none", () => {
  const before = namedFiles("sh run.sh new.txt", folder);
  writeFileSync(join(folder, "sub", "data.txt"), "2");
  expect(namedFiles("sh run.sh new.txt", folder)).toBe(before);
  writeFileSync(join(folder, "new.txt"), "");
  expect(namedFiles("sh run.sh new.txt", folder)).not.toBe(before);
});

test("[TB20] folders, pipes and devices are passed over without waiting", () => {
  execFileSync("mkfifo", [join(folder, "pipe")]);
  expect(namedFiles("cat pipe sub /dev/zero no-such-file . \0", folder)).toBe("");
});
