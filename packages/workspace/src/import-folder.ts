import { createSlices } from "@deputy/kit";
import type { BaseFile } from "./base.ts";
import type { HashBytes } from "./change-set.ts";
import type { ShadowStore } from "./shadow-store.ts";
import { type Skipped, walkFiles } from "./walk.ts";
import type { ImportOrder, ImportReport } from "./workspace.ts";
import { WorkspaceError } from "./workspace-error.ts";
import type { WorkspaceLimits } from "./workspace-limits.ts";

/** Files that are read at the same time. */
const AT_ONCE = 8;

/** Makes the workspace a new copy of a folder. The current one stays in use until this resolves. */
export async function importFolder(
  order: Required<Pick<ImportOrder, "exclude" | "onProgress">> & {
    readonly root: string;
    readonly exclude: readonly string[];
  },
  deps: { readonly store: ShadowStore; readonly hash: HashBytes; readonly limits: WorkspaceLimits },
  signal: AbortSignal,
): Promise<ImportReport> {
  const { store, hash, limits } = deps;
  const { root, tree } = await store.openReal(order.root, signal);
  const { exclude } = order;
  const walked = await walkFiles(tree, "", { exclude, mostFiles: limits.files }, signal);
  const skipped: Skipped[] = [...walked.skipped];
  const files = new Map<string, BaseFile>();
  let bytes = 0;
  await using draft = await store.begin(signal);

  const take = async (path: string): Promise<void> => {
    const stat = await tree.stat(path, signal);
    if (stat.kind !== "file") return void skipped.push({ path, why: "it went away" });
    if (stat.size > limits.fileBytes)
      return void skipped.push({ path, why: `it is larger than ${limits.fileBytes} bytes` });
    const content = await readable(() => tree.read(path, limits.fileBytes, signal));
    if (content === undefined) return void skipped.push({ path, why: "it cannot be read" });
    bytes += content.length;
    if (bytes > limits.totalBytes)
      throw new WorkspaceError("too_many_files", `The folder has more than ${limits.totalBytes} bytes`, {
        hint: "Choose a smaller folder, or leave parts of it out.",
      });
    const sha256 = await hash(content);
    files.set(
      path,
      await draft.put(path, { bytes: content, sha256, executable: stat.executable, mode: stat.mode }, signal),
    );
  };

  const waiting = [...walked.files].reverse();
  const total = waiting.length;
  let done = 0;
  const slices = createSlices();
  order.onProgress?.(done, total);
  const work = async (): Promise<void> => {
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      await take(path);
      done += 1;
      order.onProgress?.(done, total);
      if (slices.isOver()) await slices.next();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  await draft.finish({ root, exclude, files: sorted }, signal);
  skipped.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { root, files: files.size, bytes, exclude, leftOut: walked.excluded, skipped };
}

/** A file that the user may not read does not stop the import. */
async function readable(read: () => Promise<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof WorkspaceError && ["file_failed", "not_found", "not_a_file"].includes(error.code))
      return undefined;
    throw error;
  }
}
