import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseConfig } from "../config/parse-config.ts";
import { checkMemory } from "./check-everything.ts";

test("says which model memory is searched with, or that words alone are searched", async () => {
  const empty = mkdtempSync(join(tmpdir(), "model-"));
  onTestFinished(() => rmSync(empty, { recursive: true, force: true }));
  const of = (memory: object, folder?: string) =>
    checkMemory(parseConfig({ memory }, "config.json").config.memory, folder);
  expect(await of({})).toMatchObject({ status: "ok", message: expect.stringContaining("all-MiniLM-L6-v2") });
  expect(await of({}, empty)).toMatchObject({
    status: "wrong",
    message: expect.stringContaining("by words alone"),
  });
  expect(await of({ embeddingModel: "none" })).toMatchObject({ status: "advice" });
  expect(await of({ embeddingModel: "local/embeddinggemma" }, empty)).toMatchObject({
    status: "ok",
    message: "Searched by words, and by meaning with local/embeddinggemma.",
  });
  expect(await of({ enabled: false }, empty)).toMatchObject({ status: "ok", message: "Switched off." });
});
