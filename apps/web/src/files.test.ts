import { stripTypes } from "@deputy/codemode/node/strip-types";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadPageFiles, type PageFile } from "./files.ts";

test("[W4] the page is its HTML, its style and its scripts, and no tests", async () => {
  const paths = (await loadPageFiles({ stripTypes })).map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(["/", "/page.js", "/style.css"]));
  expect(paths.filter((path) => path.includes("test"))).toEqual([]);
});

test("[W4] scripts carry no types and import only scripts that are served", async () => {
  const files = await loadPageFiles({ stripTypes });
  const paths = new Set(files.map(({ path }) => path));
  for (const { path, body } of files.filter((file) => file.path.endsWith(".js"))) {
    const imports = [...body().matchAll(/\bfrom "([^"]+)"/g)].map(([, from]) => from?.replace(/^\./, ""));
    expect([...paths], path).toEqual(expect.arrayContaining(imports));
    expect(body(), path).not.toContain("interface ");
  }
});

test("[W4] a directory of finished files is served as it is", async () => {
  const directory = await mkdtemp(join(tmpdir(), "deputy-page-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const sources = await loadPageFiles({ stripTypes });
  await Promise.all(
    sources.map(({ path, body }) => writeFile(join(directory, path === "/" ? "index.html" : path), body())),
  );
  const withBodies = (files: readonly PageFile[]) =>
    files.map((file) => [file.path, file.contentType, file.body()]);
  expect(withBodies(await loadPageFiles({ directory, stripTypes }))).toEqual(withBodies(sources));
});

test("[W3] no script writes markup, and nothing is loaded from elsewhere", async () => {
  for (const { path, body } of await loadPageFiles({ stripTypes })) {
    expect(body(), path).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/);
    expect(body().replaceAll("http://www.w3.org/2000/svg", ""), path).not.toMatch(/\b(?:https?|wss?):\/\//);
  }
});
