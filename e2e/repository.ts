import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** The folder of the packed program that `test-bundle.ts` made for this run; absent outside vitest. */
export const BUNDLE = process.env["DEPUTY_TEST_BUNDLE"];

/** A process of the tests' own: the bundled one, or from its source outside vitest. */
export function testProgram(name: string, source: string): string {
  return BUNDLE === undefined ? join(ROOT, source) : join(BUNDLE, "dist", `${name}.js`);
}

/** For the environment of a test's own process: it shares what is compiled with the program beside it. */
export function compiled(): Readonly<Record<string, string>> {
  return BUNDLE === undefined ? {} : { NODE_COMPILE_CACHE: join(BUNDLE, ".cache") };
}

/**
 * Flags for a test's own processes and daemons: they end before it pays to compile anything twice, and threads that help
 * to collect garbage only take the cores from other tests. Elsewhere what is started is what users have, since benchmarks
 * measure it.
 */
export const SHORT_LIVED: readonly string[] =
  process.env["VITEST"] === undefined ? [] : ["--no-opt", "--liftoff-only", "--single-threaded-gc"];

export interface Workspace {
  readonly name: string;
  readonly folder: string;
  readonly level: number | "dev";
  readonly portable: boolean;
  readonly dependencies: readonly string[];
}

/** Every workspace with the level and portability its package.json declares. */
export function listWorkspaces(): readonly Workspace[] {
  return ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((folder): Workspace => {
      const manifest = JSON.parse(readFileSync(join(ROOT, parent, folder, "package.json"), "utf8"));
      return {
        name: manifest.name,
        folder: join(ROOT, parent, folder),
        level: manifest.deputy.level,
        portable: manifest.deputy.portable,
        dependencies: Object.keys(manifest.dependencies ?? {}),
      };
    }),
  );
}

/** Source files below a folder, tests and their fixtures left out, as paths from the root. */
export function listSources(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter(
      (path) =>
        path.endsWith(".ts") &&
        !/\.(test|fixture)\.ts$/.test(path) &&
        !path.includes("/src/test/") &&
        !path.includes("node_modules"),
    )
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(ROOT, path));
}

/** The module specifiers a source imports or re-exports, types included. */
export function importsOf(path: string): readonly string[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const found = text.matchAll(
    /^\s*(?:import|export)\s(?:[\w\s{},*$]*?\sfrom\s)?\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/gm,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? "");
}
