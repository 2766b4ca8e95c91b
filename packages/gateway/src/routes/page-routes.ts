import type { Route } from "../route.ts";

export interface PageFile {
  /** From the root, beginning with a slash. */
  readonly path: string;
  readonly contentType: string;
  /** `hashed`: its name has the hash of what is in it, so browsers may keep it. */
  readonly cache?: "page" | "hashed";
  /** Called once per request; an idle daemon holds none of it. */
  body(): string | Uint8Array;
}

/** Everything the web page consists of. Nothing else is served: there is no file system behind it. */
export type PageFiles = readonly PageFile[];

export function pageRoutes(files: PageFiles): readonly Route[] {
  return files.map(({ path, contentType, cache = "page", body }) => ({
    method: "GET",
    path,
    auth: "none",
    doc: { summary: "A file of the page", answers: { 200: [{ kind: "file", contentType }] } },
    handle: async () => ({ kind: "file", contentType, cache, body: body() }),
  }));
}
