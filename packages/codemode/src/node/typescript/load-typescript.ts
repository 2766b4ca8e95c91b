import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as TypeScript from "typescript/unstable/async";
import type * as Syntax from "typescript/unstable/ast";

/** TypeScript's API, still unstable: only this folder and `typescript-process.ts` know it. */
export interface LoadedTypeScript {
  readonly typescript: typeof TypeScript;
  readonly syntax: typeof Syntax;
  /** The directory with `lib.*.d.ts`. */
  readonly libraryDirectory: string;
}

/** Found and loaded at run time, so that it also works from a bundle. Rejects when it is not installed. */
export async function loadTypeScript(): Promise<LoadedTypeScript> {
  const { resolve } = createRequire(import.meta.url);
  const entry = resolve("typescript/unstable/async");
  const typescript: typeof TypeScript = await import(pathToFileURL(entry).href);
  const syntax: typeof Syntax = await import(pathToFileURL(resolve("typescript/unstable/ast")).href);
  const native = `@typescript/typescript-${process.platform}-${process.arch}/package.json`;
  return { typescript, syntax, libraryDirectory: join(dirname(createRequire(entry).resolve(native)), "lib") };
}
