import type { CursorCodec } from "../cursor-file.ts";

/** What a file is known by. Numbers are as text, where they may be larger than JSON's. */
export interface FileFacts {
  readonly mtimeNs: string;
  readonly size: number;
  readonly ino: string;
}

/** The files of a folder as they were when everything that had happened in it was in the inbox. */
export interface FolderSnapshot {
  /** Of the source: another folder or glob begins anew. */
  readonly id: string;
  /** When it began. */
  readonly since: string;
  /** Counts up: of two changes that look alike, each is delivered. */
  readonly revision: number;
  /** The folder's own device and number: an empty one that is another is a drive that is gone. */
  readonly root: string;
  /** By path within the folder. */
  readonly files: ReadonlyMap<string, FileFacts>;
}

export const snapshotCodec: CursorCodec<FolderSnapshot> = { parse, toJson };

function toJson(snapshot: FolderSnapshot): unknown {
  const files = Array.from(snapshot.files, ([path, { mtimeNs, size, ino }]) => [path, mtimeNs, size, ino]);
  return { ...snapshot, files };
}

function parse(json: unknown): FolderSnapshot | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { id, since, revision, root, files } = json as Partial<Record<keyof FolderSnapshot, unknown>>;
  if (typeof id !== "string" || typeof since !== "string" || typeof root !== "string") return undefined;
  if (!Number.isSafeInteger(revision) || !Array.isArray(files)) return undefined;
  const known = new Map<string, FileFacts>();
  for (const entry of files as readonly unknown[]) {
    if (!Array.isArray(entry)) return undefined;
    const [path, mtimeNs, size, ino] = entry as readonly unknown[];
    if (typeof path !== "string" || typeof mtimeNs !== "string") return undefined;
    if (typeof size !== "number" || typeof ino !== "string") return undefined;
    known.set(path, { mtimeNs, size, ino });
  }
  return { id, since, revision: revision as number, root, files: known };
}
