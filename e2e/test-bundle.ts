import { createHash } from "node:crypto";
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./repository.ts";

const BUNDLES = join(ROOT, "node_modules/.cache/test-bundles");
const TARBALLS = join(ROOT, "node_modules/.cache/test-tarballs");

/** Processes that tests kill or talk to: each becomes `dist/<name>.js` beside the program. */
const PROGRAMS = {
  "command-process": "e2e/command-process.ts",
  "client-driver": "e2e/conformance/client-driver.ts",
  "durable-child": "e2e/durable/child.ts",
  "events-child": "e2e/events-child.ts",
  "memory-child": "e2e/memory/child.ts",
  "world-child": "e2e/world/child.ts",
};

/** Those of earlier sources that stay: another run may be using one. */
const KEPT = 3;

/**
 * Packs Deputy as `npm run pack` does, once per content of the sources, so that tests start the program that users
 * install, in half the time. Returns its folder; a second run finds the bundle of the first.
 */
export async function makeTestBundle(): Promise<string> {
  return await makeOnce(BUNDLES, async (draft) => {
    const { writePackage } = await import("../apps/deputy/build/bundle.ts");
    await writePackage(draft, PROGRAMS);
  });
}

/** The tarball that users install, also made once for each content of the sources, by a test or a benchmark. */
export async function makeTestTarball(): Promise<string> {
  const folder = await makeOnce(TARBALLS, async (draft) => {
    const { packTarball } = await import("../apps/deputy/build/pack-tarball.ts");
    await packTarball(draft);
    rmSync(join(draft, "package"), { recursive: true });
  });
  const [name = ""] = readdirSync(folder);
  return join(folder, name);
}

/** A folder for what is made of the sources as they are. What takes long to make is made into a draft. */
async function makeOnce(cache: string, make: (draft: string) => Promise<void>): Promise<string> {
  const folder = join(cache, hashInputs());
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${process.pid}`;
  await make(draft);
  try {
    renameSync(draft, folder);
  } catch {
    // Another run was first; what it has made is the same.
    rmSync(draft, { recursive: true });
  }
  removeOld(cache, folder);
  return folder;
}

function removeOld(cache: string, newest: string): void {
  const old = readdirSync(cache)
    .map((name) => join(cache, name))
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
      "packages/*/src/*.wasm",
      "packages/bundles/registry/**/*.*",
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
