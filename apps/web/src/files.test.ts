import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadPageFiles } from "./files.ts";

async function setup(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "deputy-page-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  await mkdir(join(directory, "assets"));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

test("[W4] the files of the built page are served under their names; hashed ones may be kept", async () => {
  const directory = await setup({
    "index.html": "<p>page</p>",
    "icon.svg": "<svg/>",
    "assets/index-abc.js": "1;",
    "assets/index-abc.css": "p{}",
    "notes.map": "{}",
  });
  const { files, missing } = loadPageFiles({ directory });
  expect(missing).toBeUndefined();
  expect(files.map(({ path, cache, contentType }) => [path, cache, contentType])).toEqual([
    ["/assets/index-abc.css", "hashed", "text/css; charset=utf-8"],
    ["/assets/index-abc.js", "hashed", "text/javascript; charset=utf-8"],
    ["/icon.svg", "page", "image/svg+xml"],
    ["/", "page", "text/html; charset=utf-8"],
  ]);
  expect(String(files.at(-1)?.body())).toBe("<p>page</p>");
});

test("[W4] without a built page, the page says what to do", () => {
  const { files, missing } = loadPageFiles({ directory: join(tmpdir(), "deputy-no-such-folder") });
  expect(missing).toContain("npm run page");
  expect(files.map(({ path }) => path)).toEqual(["/"]);
  expect(String(files[0]?.body())).toContain("npm run page");
});
