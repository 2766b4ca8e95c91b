import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CELL_GLOBALS } from "@deputy/codemode";

const compiler = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin",
  "tsc",
);
const OPTIONS = [
  "--noEmit",
  "--strict",
  "--target",
  "es2024",
  "--lib",
  "es2024",
  "--types",
  "",
  "--pretty",
  "false",
];

/** The first complaint of the compiler about each declaration file that does not typecheck, by name. */
export async function typecheckDeclarations(
  files: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const directory = await mkdtemp(join(tmpdir(), "deputy-declarations-"));
  try {
    const names = [...files.keys()];
    const paths = names.map((_, at) => `${at}.ts`);
    // With what every program has besides, as `deputy tools types` writes it. As modules, so that they do not see one another; and not as `.d.ts`, whose own mistakes are passed over.
    for (const [at, text] of [...files.values()].entries())
      await writeFile(join(directory, `${at}.ts`), `${CELL_GLOBALS}${text}export {};\n`);
    const output = await new Promise<string>((resolve) =>
      execFile(
        process.execPath,
        [compiler, ...OPTIONS, ...paths],
        { cwd: directory, maxBuffer: 256 * 1024 * 1024 },
        (_error, stdout, stderr) => resolve(stdout + stderr),
      ),
    );
    const found = new Map<string, string>();
    for (const line of output.split("\n")) {
      const [, at, message] = /^(\d+)\.ts(\(.*)$/.exec(line) ?? [];
      const name = at === undefined ? undefined : names[Number(at)];
      if (name !== undefined && !found.has(name)) found.set(name, message ?? "");
      else if (at === undefined && line.trim() !== "" && !line.startsWith(" "))
        found.set("the compiler", line);
    }
    return found;
  } finally {
    await rm(directory, { recursive: true });
  }
}
