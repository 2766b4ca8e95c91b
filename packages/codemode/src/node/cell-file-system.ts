import { readFileSync } from "node:fs";
import type { FileSystem } from "typescript/unstable/fs";
import { cellLibrary } from "../checker/cell-library.ts";
import { CELL_DIRECTORY } from "../checker/cell-project.ts";

/**
 * What the checker sees of the disk: the projects' files, which are not on it, and TypeScript's own
 * library as far as a cell has it. Everything else does not exist.
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
    readFile: (path) =>
      contents.get(path) ?? (isLibrary(path) ? cellLibrary(readFileSync(path, "utf8")) : null),
    // `undefined`: the checker looks for itself.
    fileExists: (path) => contents.has(path) || (isLibrary(path) ? undefined : false),
    directoryExists: (path) => path === CELL_DIRECTORY || path.startsWith(`${CELL_DIRECTORY}/`),
    getAccessibleEntries: () => ({ files: [], directories: [] }),
    realpath: (path) => path,
  };
}
