import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Plugin, rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

const build = fileURLToPath(new URL(".", import.meta.url));
const root = join(build, "..", "..", "..");

/**
 * Writes one `.d.ts` per entry into `folder`, with everything that its types are made of but what installed packages
 * declare. `entries` are source files by the name of what is written.
 */
export async function writeDeclarations(
  entries: Readonly<Record<string, string>>,
  folder: string,
): Promise<void> {
  const emitted = await mkdtemp(join(tmpdir(), "deputy-types-"));
  try {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    const config = join(build, "tsconfig.declarations.json");
    await promisify(execFile)(process.execPath, [tsc, "-p", config, "--outDir", emitted]);
    const declared = (source: string): string =>
      join(emitted, relative(root, source).replace(/\.ts$/, ".d.ts"));
    const bundle = await rolldown({
      input: Object.fromEntries(Object.entries(entries).map(([name, source]) => [name, declared(source)])),
      external: (id) => !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("@deputy/"),
      plugins: [followSources(declared), dts({ dtsInput: true })],
    });
    // `AsyncDisposable`, which no release of the language's own library has yet.
    const banner = '/// <reference lib="esnext.disposable" />';
    await bundle.write({ dir: folder, format: "es", chunkFileNames: "types.js", banner });
  } finally {
    await rm(emitted, { recursive: true, force: true });
  }
}

/** Finds what declarations import: they name it as the sources do, by `.ts` files and packages of the workspace. */
function followSources(declared: (source: string) => string): Plugin {
  return {
    name: "follow-sources",
    resolveId: {
      order: "pre",
      async handler(specifier, importer) {
        if (specifier.startsWith("@deputy/")) return declared(await sourceOf(specifier));
        if (importer === undefined || !specifier.startsWith(".")) return undefined;
        return resolve(dirname(importer), specifier).replace(/(?:\.d)?\.ts$/, ".d.ts");
      },
    },
  };
}

/** The file that a package of the workspace exports under that name. */
async function sourceOf(specifier: string): Promise<string> {
  const [, name = "", ...rest] = specifier.split("/");
  const folder = join(root, "packages", name);
  const { exports } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    exports: Readonly<Record<string, string>>;
  };
  const file = exports[[".", ...rest].join("/")];
  if (file === undefined) throw new Error(`${specifier} is not exported`);
  return join(folder, file);
}
