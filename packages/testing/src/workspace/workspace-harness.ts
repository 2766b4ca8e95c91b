import type { FileTree, Workspace, WorkspaceLimits } from "@deputy/workspace";

/** A workspace, and real folders it can be a copy of. */
export interface OpenedWorkspace extends AsyncDisposable {
  readonly workspace: Workspace;
  /** The name of an empty real folder, and the folder itself, as its owner works in it. */
  readonly root: string;
  readonly real: FileTree;
  /** Another process's view of the same workspace. */
  reopen(): Workspace;
}

export type OpenWorkspace = (limits?: WorkspaceLimits) => Promise<OpenedWorkspace>;

export const live = new AbortController().signal;

export type Files = Readonly<Record<string, string | Uint8Array>>;

export async function fill(tree: FileTree, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    await tree.write(path, bytes, {}, live);
  }
}

/** Everything in a tree, as text. */
export async function contentsOf(tree: FileTree, folder = ""): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, kind } of await tree.list(folder, live)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (kind === "folder") Object.assign(found, await contentsOf(tree, path));
    else if (kind === "file") found[path] = new TextDecoder().decode(await tree.read(path, 1e9, live));
  }
  return found;
}

/** Commits everything, like somebody who has just reviewed it. */
export async function commitAll(workspace: Workspace) {
  const { id } = await workspace.status(live);
  return await workspace.commit({ changeSet: id, paths: "all" }, live);
}

/** A workspace that is a copy of a folder with these files. */
export async function openOver(open: OpenWorkspace, files: Files, limits?: WorkspaceLimits) {
  const opened = await open(limits);
  await fill(opened.real, files);
  const report = await opened.workspace.import({ root: opened.root, uncommitted: "keep" }, live);
  return { ...opened, report, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}
