import { decodeText, type FolderList, namesOf, type TextFolder, type TextRead } from "./text-folder.ts";

/** A file by its path: its text, its bytes, or why it cannot be read. */
export type MemoryFiles = Readonly<Record<string, string | Uint8Array | { readonly unreadable: string }>>;

const LEADS_OUT = { kind: "unreadable", why: "the path leads out of the folder" } as const;

/** A folder in memory. It reads `files` again each time, so the caller may change them. */
export function createMemoryTextFolder(files: MemoryFiles): TextFolder {
  const below = (path: string): readonly (readonly string[])[] => {
    const start = path === "" ? "" : `${path}/`;
    return Object.keys(files)
      .filter((file) => file.startsWith(start))
      .map((file) => file.slice(start.length).split("/"));
  };

  return {
    async read(path, maxBytes, signal): Promise<TextRead> {
      signal.throwIfAborted();
      if (namesOf(path) === undefined) return LEADS_OUT;
      const file = Object.hasOwn(files, path) ? files[path] : undefined;
      if (file === undefined) {
        return below(path).length > 0 ? { kind: "unreadable", why: "it is not a file" } : { kind: "missing" };
      }
      if (typeof file === "object" && "unreadable" in file)
        return { kind: "unreadable", why: file.unreadable };
      const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
      return decodeText(bytes.subarray(0, maxBytes), bytes.length > maxBytes);
    },
    async list(path, limit, signal): Promise<FolderList> {
      signal.throwIfAborted();
      if (namesOf(path) === undefined) return LEADS_OUT;
      if (Object.hasOwn(files, path)) return { kind: "unreadable", why: "it is not a folder" };
      const inside = below(path);
      if (inside.length === 0 && path !== "") return { kind: "missing" };
      const kinds = new Map<string, "file" | "folder">();
      for (const [name = "", ...rest] of inside) kinds.set(name, rest.length === 0 ? "file" : "folder");
      const entries = [...kinds]
        .map(([name, kind]) => ({ name, kind }))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      return { kind: "entries", entries: entries.slice(0, limit), isCut: entries.length > limit };
    },
  };
}
