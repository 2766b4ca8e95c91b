/** One entry of a folder in a base. */
export interface BaseEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "symlink";
  readonly mode: number;
  /** Of a file; ignored for others. */
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly mtime: bigint;
  /** What a symlink says; ignored for others. */
  readonly target?: string;
}

/**
 * Files that stand behind a folder of a file system and never change: what is written, made or removed is kept
 * beside them. Paths are relative to the base, with `/` between the names; the base itself is the empty path.
 * Both methods answer at once, so whoever reads from elsewhere has read before. A throw becomes EIO.
 */
export interface BaseTree {
  /** Called at most once for each folder, when somebody first looks into it. */
  list(path: string): readonly BaseEntry[];
  /** As many bytes as `list` said. They are only read, and let go of when nobody has the file open. */
  read(path: string): Uint8Array;
}

/** Where in a base something was. */
export interface Origin {
  readonly base: BaseTree;
  readonly path: string;
  readonly mode: number;
}

/** A base of files that are in memory already. Folders are made of the names. */
export function createMemoryBase(
  files: ReadonlyMap<string, Uint8Array>,
  about: { readonly mode?: number; readonly mtime?: bigint } = {},
): BaseTree {
  const folders = new Map<string, Map<string, BaseEntry>>([["", new Map()]]);
  const mtime = about.mtime ?? 0n;
  for (const [path, bytes] of files) {
    const names = path.split("/");
    let folder = "";
    for (const [at, name] of names.entries()) {
      const inside = joinBase(folder, name);
      const last = at === names.length - 1;
      const known = folders.get(folder);
      if (last)
        known?.set(name, { name, kind: "file", mode: about.mode ?? 0o644, size: bytes.length, mtime });
      else if (!folders.has(inside)) {
        folders.set(inside, new Map());
        known?.set(name, { name, kind: "directory", mode: 0o755, size: 0, mtime });
      }
      folder = inside;
    }
  }
  return {
    list: (path) => [...(folders.get(path)?.values() ?? [])],
    read: (path) => files.get(path) ?? new Uint8Array(),
  };
}

export function joinBase(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
