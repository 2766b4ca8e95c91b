// npm run modules [-- --check]: compiles the C sources to the modules that are committed beside them, or checks that
// they are what the sources give.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileC } from "./compile.ts";

const COMPILER = "@yowasp/clang@22.0.0-git20542-10";
const PACKAGES = join(import.meta.dirname, "..", "..");
const MODULES = [
  { from: "wasi/src/probe", to: "wasi/src/probe/probe.wasm" },
  { from: "core-utils/src/c", to: "core-utils/src/core-utils.wasm" },
];

/** The compiler weighs 100 MB, and only whoever changes C needs it: npm brings it when it is first asked for. */
function bringCompiler(): string {
  const folder = join(tmpdir(), `deputy-${COMPILER.replaceAll(/[@/]/g, "-")}`);
  if (!existsSync(join(folder, "node_modules"))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), "{}");
    execFileSync("npm", ["install", "--ignore-scripts", "--no-save", COMPILER], {
      cwd: folder,
      stdio: "inherit",
    });
  }
  return folder;
}

const compiler = bringCompiler();
for (const { from, to } of MODULES) {
  const folder = join(PACKAGES, from);
  const names = readdirSync(folder).filter((name) => /\.(c|h|def)$/.test(name));
  const sources = Object.fromEntries(
    names.sort().map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const built = await compileC(sources, compiler);
  const target = join(PACKAGES, to);
  const same = existsSync(target) && readFileSync(target).equals(built);
  process.stdout.write(`${to}: ${built.length} bytes, ${same ? "as committed" : "changed"}\n`);
  if (process.argv.includes("--check")) process.exitCode = same ? process.exitCode : 1;
  else if (!same) writeFileSync(target, built);
}
