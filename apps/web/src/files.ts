import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface PageFile {
  /** Where it is served: `/` for `index.html`, else `/` and the file's name. */
  readonly path: string;
  readonly contentType: string;
  /** Made when first asked for: stripping types loads a compiler, which an idle daemon can do without. */
  body(): string;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".ts": "text/javascript; charset=utf-8",
};

/**
 * The page as a browser takes it: `x.ts` becomes `/x.js`, without its types. A directory of files
 * that are stripped already, as the bundle has it, is served as it is. Rejects as `node:fs` does.
 */
export async function loadPageFiles(options: {
  readonly directory?: string;
  /** Erases the types of a module. */
  readonly stripTypes: (source: string) => string;
}): Promise<PageFile[]> {
  const directory = options.directory ?? fileURLToPath(new URL("./page/", import.meta.url));
  const names = (await readdir(directory)).filter(isServed).sort();
  return Promise.all(
    names.map(async (name) =>
      pageFile(name, await readFile(join(directory, name), "utf8"), options.stripTypes),
    ),
  );
}

function isServed(name: string): boolean {
  return Object.hasOwn(contentTypes, extname(name)) && !name.endsWith(".test.ts");
}

function pageFile(name: string, text: string, stripTypes: (source: string) => string): PageFile {
  const contentType = contentTypes[extname(name)] ?? "text/plain; charset=utf-8";
  if (name === "index.html") return { path: "/", contentType, body: () => text };
  if (extname(name) !== ".ts") return { path: `/${name}`, contentType, body: () => text };
  let stripped: string | undefined;
  const path = `/${name.replace(/\.ts$/, ".js")}`;
  return { path, contentType, body: () => (stripped ??= withServedImports(stripTypes(text))) };
}

/** The browser asks for a neighbour by the name it is served under. */
function withServedImports(source: string): string {
  return source.replaceAll(/(\bfrom "\.\/[\w-]+)\.ts"/g, '$1.js"');
}
