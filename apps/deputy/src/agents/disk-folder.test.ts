import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describeTextFolder } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import { openDiskFolder } from "./disk-folder.ts";

const live = new AbortController().signal;

function write(files: Readonly<Record<string, string | Uint8Array>>): string {
  const root = mkdtempSync(join(tmpdir(), "folder-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  return root;
}

describeTextFolder("a folder on disk", (files) => openDiskFolder(write(files), { within: "anywhere" }));
describeTextFolder("a folder whose links must stay in their entry", (files) =>
  openDiskFolder(write(files), { within: "entry" }),
);
describeTextFolder("a folder whose links must stay in a directory", (files) => {
  const directory = write(files);
  return openDiskFolder(directory, { within: "directory", directory });
});

test("[E95] follows a link as far as its folder allows", async () => {
  const outside = write({ "secret.md": "secret", "skill/SKILL.md": "linked" });
  const root = write({ "own/a.md": "a", "shared/SKILL.md": "s" });
  symlinkSync(join(outside, "secret.md"), join(root, "own", "b.md"));
  symlinkSync(join(root, "shared", "SKILL.md"), join(root, "own", "c.md"));
  symlinkSync("a.md", join(root, "own", "d.md"));
  symlinkSync(join(outside, "skill"), join(root, "linked"));
  const reading = (rule: Parameters<typeof openDiskFolder>[1]) => {
    const folder = openDiskFolder(root, rule);
    const paths = ["own/b.md", "own/c.md", "own/d.md", "linked/SKILL.md"];
    return Promise.all(paths.map(async (path) => (await folder.read(path, 99, live)).kind));
  };
  expect(await reading({ within: "anywhere" })).toEqual(["text", "text", "text", "text"]);
  expect(await reading({ within: "entry" })).toEqual(["unreadable", "unreadable", "text", "text"]);
  expect(await reading({ within: "directory", directory: root })).toEqual([
    "unreadable",
    "text",
    "text",
    "unreadable",
  ]);
});

test("[E95] a link that leads nowhere, or in a circle, is not a file", async () => {
  const root = write({});
  symlinkSync("nothing", join(root, "a.md"));
  symlinkSync("b.md", join(root, "b.md"));
  const folder = openDiskFolder(root, { within: "anywhere" });
  expect(await folder.read("a.md", 9, live)).toEqual({ kind: "missing" });
  expect(await folder.read("b.md", 9, live)).toMatchObject({ kind: "unreadable" });
  expect(await folder.list("", 9, live)).toEqual({ kind: "entries", entries: [], isCut: false });
});

test.skipIf(process.platform === "win32")("[E95] does not wait for a pipe", async () => {
  const root = write({});
  execFileSync("mkfifo", [join(root, "AGENTS.md")]);
  const folder = openDiskFolder(root, { within: "anywhere" });
  expect(await folder.read("AGENTS.md", 9, live)).toEqual({ kind: "unreadable", why: "it is not a file" });
});
