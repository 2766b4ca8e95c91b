import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "@deputy/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { findTraces } from "./find-traces.ts";

test("[E692] links are not followed: loops of them do not hold up forgetting, and each file is named once", async () => {
  const home = mkdtempSync(join(tmpdir(), "traces-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, "memory"));
  writeFileSync(join(home, "memory", "a.md"), "Xaverine was here");
  for (const name of ["l1", "l2"]) symlinkSync(join(home, "memory"), join(home, "memory", name));
  const kept = await findTraces(home, ["xaverine"], new AbortController().signal);
  expect(kept.map(({ what }) => what)).toEqual([join("memory", "a.md")]);
});

test("[E735] the home's databases stay locked while and after they are looked through", async () => {
  const home = mkdtempSync(join(tmpdir(), "traces-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = join(home, "some.db");
  const db = openDatabase(path);
  onTestFinished(() => db.close());
  db.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (text)");
  db.exec("INSERT INTO t VALUES ('Xaverine was here'); BEGIN IMMEDIATE; INSERT INTO t VALUES ('more')");
  const kept = await findTraces(home, ["xaverine"], new AbortController().signal);
  expect(kept.map(({ what }) => what)).toEqual(["some.db-wal"]);
  // Another process would write over what this one is about to write.
  const program = `import { DatabaseSync } from "node:sqlite";
    new DatabaseSync(process.argv[1]).exec("BEGIN IMMEDIATE")`;
  const other = spawnSync(process.execPath, ["--input-type=module", "-e", program, path], {
    encoding: "utf8",
  });
  expect(other.stderr).toContain("database is locked");
  db.exec("COMMIT");
});
