import type { Route } from "../route.ts";

export interface PageFile {
  /** From the root, beginning with a slash. */
  readonly path: string;
  readonly contentType: string;
  /** Called once per request; what is costly to make, it keeps. */
  body(): string;
}

/** Everything the web page consists of. Nothing else is served: there is no file system behind it. */
export type PageFiles = readonly PageFile[];

export function pageRoutes(files: PageFiles): readonly Route[] {
  return files.map((file) => ({
    method: "GET",
    path: file.path,
    auth: "none",
    doc: {
      summary: "A file of the page",
      answers: { 200: [{ kind: "file", contentType: file.contentType }] },
    },
    handle: async () => ({ kind: "file", contentType: file.contentType, body: file.body() }),
  }));
}
