import { gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("../src/page/", import.meta.url));
/** Where the daemon looks for the page when it runs from its sources. */
export const BUILT_PAGE: string = fileURLToPath(new URL("../dist/", import.meta.url));

export interface BuiltPage {
  /** Modules that are in it, by path. */
  readonly modules: readonly string[];
  /** What a browser loads before it shows a conversation, compressed. */
  readonly firstLoadBytes: number;
}

/** Builds the page into a folder, which it empties first. Takes a second or two. */
export async function buildPage(folder: string = BUILT_PAGE): Promise<BuiltPage> {
  // Libraries take their quick side only under this name; a test run has another.
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  const built = await build({
    root,
    configFile: false,
    logLevel: "warn",
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: "es2023",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
      // What only some pages need is loaded with them.
      rolldownOptions: { output: { entryFileNames: "assets/[name]-[hash].js" } },
    },
    worker: { format: "es" },
  });
  if (before === undefined) delete process.env["NODE_ENV"];
  else process.env["NODE_ENV"] = before;
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) =>
    "output" in one ? one.output : [],
  );
  const chunks = outputs.filter((one) => one.type === "chunk");
  const entries = chunks.filter(({ isEntry }) => isEntry);
  const first = entries.flatMap(({ fileName, imports }) => [fileName].concat(imports));
  const styles = outputs.filter(({ fileName }) => fileName.endsWith(".css")).map(({ fileName }) => fileName);
  const size = (name: string): number => gzipSync(readFileSync(`${folder}/${name}`)).length;
  return {
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    firstLoadBytes: ["index.html", ...new Set([...first, ...styles])].reduce(
      (sum, name) => sum + size(name),
      0,
    ),
  };
}

if (import.meta.main) {
  const { firstLoadBytes } = await buildPage();
  process.stdout.write(`The page is built: ${(firstLoadBytes / 1_000).toFixed(0)} kB to load, compressed.\n`);
}
