import type { FileSystem } from "@deputy/vfs";
import * as git from "isomorphic-git";
import { createGitFiles, GIT_FOLDER } from "./git-files.ts";

/** One file that differs: from the last commit to the index, and from the index to the files. */
export interface ChangedFile {
  readonly path: string;
  readonly staged: "A" | "M" | "D" | " ";
  readonly unstaged: "M" | "D" | " ";
  readonly untracked: boolean;
}

/** The repository of a workspace: its files are elsewhere than the workspace, so no script can change them. */
export async function openRepository(top: string, files: FileSystem, store: FileSystem) {
  const at = { fs: createGitFiles(files, store), dir: top, gitdir: GIT_FOLDER };
  await git.init({ ...at, defaultBranch: "main" });
  const head = async (): Promise<string | undefined> =>
    await git.resolveRef({ ...at, ref: "HEAD" }).catch(() => undefined);
  const blob = async (oid: string): Promise<Uint8Array> => (await git.readBlob({ ...at, oid })).blob;
  return {
    head,
    branch: async () => (await git.currentBranch(at)) ?? "HEAD",
    async changed(): Promise<readonly ChangedFile[]> {
      const rows = await git.statusMatrix({ ...at, ...((await head()) === undefined && { ref: "HEAD" }) });
      return rows.flatMap(([path, inHead, inFiles, inIndex]) => {
        const staged =
          inIndex === 0 ? (inHead === 1 ? "D" : " ") : inHead === 0 ? "A" : inIndex === 1 ? " " : "M";
        const differs = inIndex === 1 ? inFiles === 2 : inIndex === 3;
        const unstaged = inIndex === 0 ? " " : inFiles === 0 ? "D" : differs ? "M" : " ";
        const untracked = inIndex === 0 && inFiles !== 0;
        return staged === " " && unstaged === " " && !untracked
          ? []
          : [{ path, staged, unstaged, untracked }];
      });
    },
    add: async (path: string) => await git.add({ ...at, filepath: path }),
    remove: async (path: string) => await git.remove({ ...at, filepath: path }),
    commit: async (message: string, author: { readonly name: string; readonly email: string }) =>
      await git.commit({ ...at, message, author }),
    log: async (depth: number | undefined) => await git.log({ ...at, ...(depth !== undefined && { depth }) }),
    /** A file as the last commit, the index or the folder has it. */
    async sides(path: string) {
      const found = await git.walk({
        ...at,
        trees: [...((await head()) === undefined ? [git.STAGE()] : [git.TREE()]), git.STAGE()],
        async map(name, [inHead, inIndex]) {
          if (path !== name) return name === "." || path.startsWith(`${name}/`) ? [] : undefined;
          return [(await head()) === undefined ? undefined : await inHead?.oid(), await inIndex?.oid()];
        },
        reduce: async (own: (string | undefined)[], children: (string | undefined)[][]) =>
          own?.length > 0 ? own : children.flat(),
      });
      const [headOid, indexOid] = (found ?? []) as (string | undefined)[];
      return {
        head: headOid === undefined ? undefined : await blob(headOid),
        index: indexOid === undefined ? undefined : await blob(indexOid),
      };
    },
  };
}

export type Repository = Awaited<ReturnType<typeof openRepository>>;
