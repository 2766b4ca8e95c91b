import { createHash } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./repository.ts";

const CACHE = join(ROOT, "node_modules/.cache/test-bundles");

/** Processes that tests kill or talk to: each becomes `dist/<name>.js` beside the program. */
const PROGRAMS = {
  "command-process": "e2e/command-process.ts",
  "client-driver": "e2e/conformance/client-driver.ts",
  "durable-child": "e2e/durable/child.ts",
  "events-child": "e2e/events-child.ts",
  "memory-child": "e2e/memory/child.ts",
  "world-child": "e2e/world/child.ts",
};

/** Bundles of earlier sources that stay: another run may be using one. */
const KEPT = 3;

/**
 * Packs Deputy as `npm run pack` does, once per content of the sources, so that tests start the program that users
 * install, in half the time. Returns its folder; a second run finds the bundle of the first.
 */
export async function makeTestBundle(): Promise<string> {
  const folder = join(CACHE, hashInputs());
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  const { writePackage } = await import("../apps/deputy/build/bundle.ts");
  await writePackage(draft, PROGRAMS);
  try {
    renameSync(draft, folder);
  } catch {
    // Another run was first; its bundle is the same.
    rmSync(draft, { recursive: true });
  }
  removeOldBundles(folder);
  return folder;
}

function removeOldBundles(newest: string): void {
  const old = readdirSync(CACHE)
    .map((name) => join(CACHE, name))
    .filter((path) => path !== newest)
    .map((path) => ({ path, at: statSync(path).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of old.slice(KEPT)) rmSync(path, { recursive: true, force: true });
}

function hashInputs(): string {
  const hash = createHash("sha256");
  const files = globSync(
    [
      "{packages,apps}/*/{src,build,bin}/**/*.{ts,mjs,js,json,yaml,html,css,svg,txt}",
      "{packages,apps}/*/package.json",
      "e2e/**/*.ts",
      "package-lock.json",
      "package.json",
      "README.md",
    ],
    { cwd: ROOT, exclude: (path) => path.endsWith(".test.ts") },
  );
  for (const file of files.sort()) hash.update(`${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest("hex").slice(0, 16);
}

if (import.meta.main) process.stdout.write(await makeTestBundle());
