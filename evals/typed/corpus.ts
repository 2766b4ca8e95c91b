import type { DeclaredTool } from "@deputy/codemode";

/** A call that somebody wrote down as the right one. */
export interface TypedCall {
  readonly id: string;
  readonly path: string;
  readonly args: unknown;
}

/** Calls, and the tools that whoever made them could see. */
export interface CallGroup {
  readonly tools: readonly DeclaredTool[];
  readonly calls: readonly TypedCall[];
}

export interface Corpus {
  readonly name: string;
  readonly groups: readonly CallGroup[];
}

export function countCalls({ groups }: Corpus): number {
  return groups.reduce((sum, { calls }) => sum + calls.length, 0);
}

/** The tool of a call; a call of none is a mistake in the corpus. */
export function toolOf({ tools }: CallGroup, { id, path }: TypedCall): DeclaredTool {
  const tool = tools.find((one) => one.path === path);
  if (tool === undefined) throw new Error(`${id} calls ${path}, which its group does not have`);
  return tool;
}
