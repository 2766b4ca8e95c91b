import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import type { SuiteCase } from "./suite-case.ts";

/** The preview-1 programs of a copy of WebAssembly/wasi-testsuite (its branch `prod/testsuite-base`). */
export function readSuite(folder: string): SuiteCase[] {
  return filesBelow(folder)
    .filter((path) => path.endsWith(".wasm") && basename(dirname(path)) === "wasm32-wasip1")
    .sort()
    .map((path) => readCase(folder, path));
}

interface Specification {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly root?: string;
  readonly exit_code?: number;
  readonly stdout?: string;
}

function readCase(folder: string, path: string): SuiteCase {
  const about = path.replace(/\.wasm$/, ".json");
  const given = (existsSync(about) ? JSON.parse(readFileSync(about, "utf8")) : {}) as Specification;
  const root = given.root === undefined ? undefined : join(dirname(path), given.root);
  return {
    name: relative(folder, path),
    module: readFileSync(path),
    args: given.args ?? [],
    env: given.env ?? {},
    files:
      root === undefined
        ? undefined
        : new Map(filesBelow(root).map((file) => [relative(root, file), readFileSync(file)])),
    exitCode: given.exit_code ?? 0,
    stdout: given.stdout,
  };
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
