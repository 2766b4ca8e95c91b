import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
