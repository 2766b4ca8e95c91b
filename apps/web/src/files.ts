import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

export interface PageFile {
  /** Where it is served: `/` for `index.html`, else `/` and its path in the folder. */
  readonly path: string;
  readonly contentType: string;
  readonly cache: "page" | "hashed";
  /** Read anew each time: an idle daemon holds nothing of it. Throws as `node:fs` does. */
  body(): string | Uint8Array;
}

export interface PageFiles {
  readonly files: readonly PageFile[];
  /** Why there is no page, in words; absent when there is one. */
  readonly missing?: string;
}

const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
  ".webmanifest": "application/manifest+json",
};

const MISSING = "The page has not been built. In a clone of the repository, run `npm run page`.";

/** The page as it was built. Never throws: without a page, `/` says what to do. */
export function loadPageFiles(options: { readonly directory?: string } = {}): PageFiles {
  const directory = options.directory ?? fileURLToPath(new URL("../dist/", import.meta.url));
  const names = namesIn(directory).filter((name) => Object.hasOwn(contentTypes, extname(name)));
  if (!names.includes("index.html")) return { files: [missingPage()], missing: MISSING };
  return { files: names.toSorted().map((name) => pageFile(directory, name)) };
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, encoding: "utf8" }).map((name) =>
      name.replaceAll(sep, "/"),
    );
  } catch {
    return [];
  }
}

function pageFile(directory: string, name: string): PageFile {
  return {
    path: name === "index.html" ? "/" : `/${name}`,
    contentType: contentTypes[extname(name)] ?? "text/plain; charset=utf-8",
    // The build puts the hash of what is in them into the names of these.
    cache: name.startsWith("assets/") ? "hashed" : "page",
    body: () => readFileSync(join(directory, name)),
  };
}

function missingPage(): PageFile {
  const text = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Deputy</title><h1>Deputy runs</h1><p>${MISSING}</p><p>The terminal works without it: <code>deputy</code>.</p></html>`;
  return { path: "/", contentType: "text/html; charset=utf-8", cache: "page", body: () => text };
}
