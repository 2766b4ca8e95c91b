import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createNoteFiles } from "./note-files.ts";

function setup() {
  const root = mkdtempSync(join(tmpdir(), "notes-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "main", "memory"), { recursive: true });
  writeFileSync(join(root, "secret.md"), "secret");
  const files = createNoteFiles(
    (name) => (name === "main" ? join(root, "main") : undefined),
    () => ["main"],
  );
  return { root, files };
}

test("[M54] a note is written, replaced and removed as a whole, in folders that are made for it", async () => {
  const { root, files } = setup();
  expect(await files.read("main/memory/deep/a.md")).toBe(null);
  await files.write("main/memory/deep/a.md", "日本\n");
  await files.write("main/memory/deep/a.md", "One\n");
  expect(await files.read("main/memory/deep/a.md")).toBe("One\n");
  expect(readdirSync(join(root, "main", "memory", "deep"))).toEqual(["a.md"]);
  await files.write("main/memory/deep/a.md", null);
  await files.write("main/memory/deep/a.md", null);
  expect(await files.read("main/memory/deep/a.md")).toBe(null);
});

test.each([
  "main/../secret.md",
  "other/a.md",
  "main/a.sh",
  "main",
  "main/",
  "main//a.md",
  "../secret.md",
  "main/link.md",
  "main/out/secret.md",
])("[M54] no path and no link leads out of the notes: %s", async (path) => {
  const { root, files } = setup();
  symlinkSync(join(root, "secret.md"), join(root, "main", "link.md"));
  symlinkSync(root, join(root, "main", "out"));
  await expect(files.read(path)).rejects.toMatchObject({ code: "note_refused" });
  await expect(files.write(path, "x")).rejects.toMatchObject({ code: "note_refused" });
  expect(readFileSync(join(root, "secret.md"), "utf8")).toBe("secret");
});

test("[M54] lists notes without links, removes a draft that a crash left, and refuses what is no text", async () => {
  const { root, files } = setup();
  await files.write("main/memory/b.md", "b\n");
  symlinkSync(root, join(root, "main", "out"));
  writeFileSync(join(root, "main", "memory", ".deputy-draft"), "half a");
  writeFileSync(join(root, "main", "memory", "junk.md"), Buffer.from([0xff, 0xfe, 0x00]));
  expect(await files.list("main")).toEqual(["main/memory/b.md", "main/memory/junk.md"]);
  expect(readdirSync(join(root, "main", "memory"))).toEqual(["b.md", "junk.md"]);
  await expect(files.read("main/memory/junk.md")).rejects.toMatchObject({ code: "note_refused" });
});
