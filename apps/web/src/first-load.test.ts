import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { loadPageFiles } from "./files.ts";

const MOST_BYTES = 120_000;

test("[W6] what a browser loads before it shows a conversation is at most 120 kB, compressed", () => {
  const bundle = process.env["DEPUTY_TEST_BUNDLE"] ?? "";
  const { files, missing } = loadPageFiles({ directory: join(bundle, "dist", "web") });
  expect(missing).toBeUndefined();
  const bodies = new Map(files.map(({ path, body }) => [path, String(body())]));
  const loaded = new Set(["/"]);
  // A set that grows is walked to its end: what is loaded names what else is.
  for (const path of loaded)
    for (const name of named(bodies.get(path) ?? "")) if (bodies.has(name)) loaded.add(name);
  expect(loaded.size).toBeGreaterThan(2);
  const bytes = [...loaded].reduce((sum, path) => sum + gzipSync(bodies.get(path) ?? "").length, 0);
  expect(bytes).toBeLessThan(MOST_BYTES);
  expect(loaded.size).toBeLessThan(bodies.size);
});

/** What a file has loaded at once: links and scripts of the page, static imports of a module. */
function named(text: string): readonly string[] {
  const links = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path = ""]) => path);
  const imports = [...text.matchAll(/(?:^|[;}])import(?:[^"'`;()]*?from)?["'`]\.\/([^"'`]+)["'`]/g)].map(
    ([, name = ""]) => `/assets/${name}`,
  );
  return [...links, ...imports];
}
