import type { FileSystem } from "typescript/unstable/fs";
import { CELL_PROJECT } from "../checker/cell-project.ts";

/**
 * What the checker sees of the disk: the project's files, which are not on it, and TypeScript's own
 * library. Everything else does not exist. (`undefined` lets the checker read the real file itself.)
 */
export function createCellFileSystem(
  contents: ReadonlyMap<string, string>,
  libraryDirectory: string,
): Required<
  Pick<FileSystem, "readFile" | "fileExists" | "directoryExists" | "getAccessibleEntries" | "realpath">
> {
  const library = `${libraryDirectory.replaceAll("\\", "/")}/`;
  const isLibrary = (path: string): boolean =>
    path.startsWith(library) && /^lib\.[\w.]*d\.ts$/.test(path.slice(library.length));
  return {
    readFile: (path) => contents.get(path) ?? (isLibrary(path) ? undefined : null),
    fileExists: (path) => contents.has(path) || (isLibrary(path) ? undefined : false),
    directoryExists: (path) => path === CELL_PROJECT.directory,
    getAccessibleEntries: () => ({ files: [], directories: [] }),
    realpath: (path) => path,
  };
}
