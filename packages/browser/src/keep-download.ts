import type { Workspace } from "@deputy/workspace";
import { ToolsError } from "@deputy/tools";
import { numberedName, safeFileName } from "./file-name.ts";

const MOST_OF_A_NAME = 1_000;

/** Writes a downloaded file into a folder of the workspace, under a name that is still free. */
export async function keepDownload(
  workspace: Workspace,
  folder: string,
  file: { readonly name: string; readonly bytes: Uint8Array },
  signal: AbortSignal,
): Promise<{ path: string; bytes: number }> {
  const name = safeFileName(file.name);
  for (let number = 1; number <= MOST_OF_A_NAME; number += 1) {
    const free = number === 1 ? name : numberedName(name, number);
    const path = folder === "" ? free : `${folder.replace(/\/+$/, "")}/${free}`;
    if ((await workspace.stat(path, signal)).kind !== "missing") continue;
    await workspace.write(path, file.bytes, signal);
    return { path, bytes: file.bytes.length };
  }
  throw new ToolsError("download_failed", `There are ${MOST_OF_A_NAME} files called ${name} already`);
}
