import type { CursorCodec } from "../cursor-file.ts";
import { type FileChange, fileChangeKinds, type FileFacts } from "./file-change.ts";

/** The files of a folder as they were when everything that had happened in it was in the inbox. */
export interface FolderSnapshot {
  /** Identifies the source: another folder or glob starts over. */
  readonly id: string;
  /** When it began. */
  readonly since: string;
  /** Counts up, so that each of two equal changes is delivered. */
  readonly revision: number;
  /** The folder's own device and number: if it is empty and another one, its drive is gone. */
  readonly root: string;
  /** By path within the folder. */
  readonly files: ReadonlyMap<string, FileFacts>;
  /** Changes since then that are being delivered: recorded first, so that a crash cannot undo them. */
  readonly due: readonly FileChange[];
}

export const snapshotCodec: CursorCodec<FolderSnapshot> = { parse, toJson };

function toJson(snapshot: FolderSnapshot): unknown {
  const files = Array.from(snapshot.files, ([path, facts]) => entryOf(path, facts));
  const due = snapshot.due.map(({ kind, path, facts }) => [kind, ...entryOf(path, facts)]);
  return { ...snapshot, files, due };
}

function entryOf(path: string, { mtimeNs, size, ino }: FileFacts): readonly [string, string, number, string] {
  return [path, mtimeNs, size, ino];
}

function parse(json: unknown): FolderSnapshot | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { id, since, revision, root, files, due } = json as Partial<Record<keyof FolderSnapshot, unknown>>;
  if (typeof id !== "string" || typeof since !== "string" || typeof root !== "string") return undefined;
  if (!Number.isSafeInteger(revision) || !Array.isArray(files) || !Array.isArray(due)) return undefined;
  const known = new Map<string, FileFacts>();
  for (const entry of files as readonly unknown[]) {
    const file = parseEntry(entry);
    if (file === undefined) return undefined;
    known.set(file.path, file.facts);
  }
  const changes: FileChange[] = [];
  for (const entry of due as readonly unknown[]) {
    const kind = Array.isArray(entry) ? fileChangeKinds.find((one) => one === entry[0]) : undefined;
    const file = Array.isArray(entry) ? parseEntry(entry.slice(1)) : undefined;
    if (kind === undefined || file === undefined) return undefined;
    changes.push({ kind, ...file });
  }
  return { id, since, revision: revision as number, root, files: known, due: changes };
}

function parseEntry(entry: unknown): { readonly path: string; readonly facts: FileFacts } | undefined {
  if (!Array.isArray(entry)) return undefined;
  const [path, mtimeNs, size, ino] = entry as readonly unknown[];
  if (typeof path !== "string" || typeof mtimeNs !== "string") return undefined;
  if (typeof size !== "number" || typeof ino !== "string") return undefined;
  return { path, facts: { mtimeNs, size, ino } };
}
