import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLocalBase } from "./local-base.ts";

let scratch: string;
let root: string;
beforeEach(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "deputy-base-")));
  root = join(scratch, "tree");
  mkdirSync(join(root, "d"), { recursive: true });
  mkdirSync(join(scratch, "outside"));
  writeFileSync(join(scratch, "outside", "secret"), "secret");
  writeFileSync(join(root, "d", "f"), "text", { mode: 0o755 });
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

test("[WS21] links are entries, and never followed", () => {
  symlinkSync("../outside", join(root, "link"));
  const base = createLocalBase(root);
  expect(base.list("").map(({ name, kind, target }) => [name, kind, target])).toEqual([
    ["d", "directory", undefined],
    ["link", "symlink", "../outside"],
  ]);
  expect(() => base.list("link")).toThrow();
  expect(() => base.read("link/secret")).toThrow();
  expect(() => base.read("../outside/secret")).toThrow();
});

test("[WS21] a folder that became a link since it was listed is not followed", () => {
  const base = createLocalBase(root);
  expect(base.list("d")).toMatchObject([{ name: "f", kind: "file", size: 4, mode: 0o755 }]);
  expect(new TextDecoder().decode(base.read("d/f"))).toBe("text");
  rmSync(join(root, "d"), { recursive: true });
  symlinkSync(join(scratch, "outside"), join(root, "d"));
  writeFileSync(join(scratch, "outside", "f"), "leak");
  expect(() => base.read("d/f")).toThrow();
});

test("[WS21] a file that changed since it was listed cannot be read", () => {
  const base = createLocalBase(root);
  base.list("d");
  writeFileSync(join(root, "d", "f"), "other");
  expect(() => base.read("d/f")).toThrow();
  expect(() => base.read("d/never-listed")).toThrow();
});
