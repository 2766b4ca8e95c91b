import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileState } from "./open-heartbeat.ts";

test("a file's state is stable until it changes; a missing file has one too", async () => {
  const directory = mkdtempSync(join(tmpdir(), "deputy-state-"));
  try {
    const missing = await fileState(directory, "notes.md");
    expect(await fileState(directory, "notes.md")).toBe(missing);
    writeFileSync(join(directory, "notes.md"), "one");
    const written = await fileState(directory, "notes.md");
    expect(written).not.toBe(missing);
    expect(await fileState("/nowhere", join(directory, "notes.md"))).toBe(written);
    appendFileSync(join(directory, "notes.md"), "two");
    expect(await fileState(directory, "notes.md")).not.toBe(written);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
