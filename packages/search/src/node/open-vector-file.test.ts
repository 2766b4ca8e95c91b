import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openVectorFile } from "./open-vector-file.ts";

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), "deputy-vectors-"));
  folders.push(folder);
  return join(folder, "vectors.db");
}

const one = ["a", Int8Array.of(1, -2, 127)] as const;
const other = ["b", Int8Array.of(-127, 0, 3)] as const;

test("[TS9] vectors of the model survive, each once; those of another model do not", () => {
  const path = scratch();
  {
    using file = openVectorFile(path, "m1");
    expect([...file.load()]).toEqual([]);
    file.add([one]);
    file.add([one, other]);
  }
  {
    using file = openVectorFile(path, "m1");
    expect([...file.load()]).toEqual([one, other]);
  }
  expect(statSync(path).mode & 0o777).toBe(0o600);
  {
    using file = openVectorFile(path, "m2");
    expect([...file.load()]).toEqual([]);
  }
  using again = openVectorFile(path, "m1");
  expect([...again.load()]).toEqual([]);
});

test("[TS9] a damaged file is begun anew, and one that cannot be made costs nothing else", () => {
  const path = scratch();
  writeFileSync(path, "This is no database at all. ".repeat(200));
  {
    using file = openVectorFile(path, "m1");
    expect([...file.load()]).toEqual([]);
    file.add([one]);
    expect([...file.load()]).toEqual([one]);
  }
  using nowhere = openVectorFile(join(path, "below", "a-file"), "m1");
  nowhere.add([one]);
  expect([...nowhere.load()]).toEqual([]);
});
