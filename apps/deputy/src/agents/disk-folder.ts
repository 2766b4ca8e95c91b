import { constants } from "node:fs";
import { type FileHandle, open, readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { decodeText, type FolderList, namesOf, type TextFolder, type TextRead } from "@deputy/agent";
import { systemCodeOf } from "@deputy/kit";
import { describeFileFailure } from "../file-failure.ts";

/**
 * How far links may lead: `anywhere`, for folders that only their owner fills; within the `entry` in the
 * folder (which may itself be a link), for what was made elsewhere; or within a `directory`.
 */
export type LinkRule =
  | { readonly within: "anywhere" }
  | { readonly within: "entry" }
  | { readonly within: "directory"; readonly directory: string };

type Refused = { readonly kind: "missing" } | { readonly kind: "unreadable"; readonly why: string };

/** A folder on disk. It is never written to, and only regular files are opened. */
export function openDiskFolder(root: string, links: LinkRule): TextFolder {
  /** The real path, with links resolved. */
  const locate = async (path: string): Promise<string | Refused> => {
    const names = namesOf(path);
    if (names === undefined) return refuse("the path leads out of the folder");
    const real = await realpath(join(root, ...names));
    const bounds = await boundsOf(names);
    if (bounds !== undefined && real !== bounds && !real.startsWith(bounds + sep))
      return refuse("a link leads out of the folder");
    return real;
  };
  const boundsOf = async ([entry]: readonly string[]): Promise<string | undefined> => {
    if (links.within === "directory") return await realpath(links.directory);
    return links.within === "entry" && entry !== undefined ? await realpath(join(root, entry)) : undefined;
  };

  return {
    async read(path, maxBytes, signal): Promise<TextRead> {
      signal.throwIfAborted();
      try {
        const real = await locate(path);
        return typeof real === "string" ? await readStart(real, maxBytes) : real;
      } catch (error) {
        return explain(error);
      }
    },
    async list(path, limit, signal): Promise<FolderList> {
      signal.throwIfAborted();
      try {
        const real = await locate(path);
        return typeof real === "string" ? await listEntries(real, limit) : real;
      } catch (error) {
        return explain(error);
      }
    },
  };
}

/** Does not wait for a process that would write to a pipe. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

async function readStart(file: string, maxBytes: number): Promise<TextRead> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, READ_ONLY);
    if (!(await handle.stat()).isFile()) return refuse("it is not a file");
    const buffer = new Uint8Array(maxBytes + 1);
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await handle.read(buffer, filled, buffer.length - filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return decodeText(buffer.subarray(0, Math.min(filled, maxBytes)), filled > maxBytes);
  } finally {
    await handle?.close();
  }
}

async function listEntries(folder: string, limit: number): Promise<FolderList> {
  const names = (await readdir(folder)).sort();
  const entries: { name: string; kind: "file" | "folder" }[] = [];
  for (const name of names.slice(0, limit)) {
    // Follows links; skips one that leads nowhere.
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isDirectory() === true) entries.push({ name, kind: "folder" });
    else if (found?.isFile() === true) entries.push({ name, kind: "file" });
  }
  return { kind: "entries", entries, isCut: names.length > limit };
}

function explain(error: unknown): Refused {
  const code = systemCodeOf(error);
  if (code === undefined) throw error;
  if (code === "ENOENT") return { kind: "missing" };
  if (code === "ENOTDIR") return refuse("it is not a folder");
  return refuse(describeFileFailure(error));
}

function refuse(why: string): Refused {
  return { kind: "unreadable", why };
}
