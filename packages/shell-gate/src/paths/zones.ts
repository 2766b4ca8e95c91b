import { isWithin, type Resolver } from "./resolve-path.ts";

/** Directories, as configured: absolute. */
export interface Directories {
  /** Where commands start, read and write. */
  readonly workspace: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Never read or written, except for a workspace inside it: Deputy's home. */
  readonly protected: readonly string[];
}

export interface Zones {
  /** For a resolved path. */
  readonly of: (path: string) => "write" | "read" | "outside" | "protected";
  /** True if it is a permitted directory itself, or contains one. */
  readonly isRoot: (path: string) => boolean;
  /** True if something protected is under it. */
  readonly holdsProtected: (path: string) => boolean;
}

export function createZones(directories: Directories, resolver: Resolver): Zones {
  const real = (path: string): string => resolver.resolve(path, "follow")?.path ?? path;
  const workspace = real(directories.workspace);
  const writable = [workspace, ...directories.write.map(real)];
  const readable = directories.read.map(real);
  const guarded = directories.protected.map((home) => fold(real(home)));
  const inWorkspace = (path: string): boolean => isWithin(path, workspace);
  // A workspace that is the home, or holds it, opens nothing of it.
  const isProtected = (path: string): boolean =>
    guarded.some(
      (home) =>
        isWithin(fold(path), home) &&
        !(inWorkspace(path) && fold(workspace) !== home && isWithin(fold(workspace), home)),
    );
  return {
    of: (path) => {
      if (isProtected(path)) return "protected";
      if (writable.some((root) => isWithin(path, root))) return "write";
      return readable.some((root) => isWithin(path, root)) ? "read" : "outside";
    },
    isRoot: (path) => [...writable, ...readable].some((root) => isWithin(root, path)),
    holdsProtected: (path) => guarded.some((home) => isWithin(home, fold(path))),
  };
}

/** Some file systems treat different spellings of a name as the same. */
function fold(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
