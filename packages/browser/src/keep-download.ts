import type { Workspace } from "@deputy/workspace";
import { ToolsError } from "@deputy/tools";

const MAX_CHARS = 120;

/** Names that are devices on Windows, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

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

/** A name that a server chose as one of a plain, visible file; never a path, never empty. */
export function safeFileName(suggested: string): string {
  const last = suggested.normalize("NFC").split(/[/\\]/).at(-1) ?? "";
  const plain = last
    .replaceAll(/[^\p{L}\p{M}\p{N} ._()+@=,-]/gu, "_")
    .replaceAll(/\.{2,}/g, ".")
    .replace(/^[. ]+/, "")
    .replace(/[. ]+$/, "");
  const named = plain === "" || DEVICE.test(plain) ? `file-${plain}`.replace(/-$/, "") : plain;
  return shorten(named);
}

/** The same name with a number, for where the first is taken. */
export function numberedName(name: string, number: number): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? `${name}-${number}` : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
}

function shorten(name: string): string {
  const chars = Array.from(name);
  if (chars.length <= MAX_CHARS) return name;
  const ending = /\.[\p{L}\p{N}]{1,10}$/u.exec(name)?.[0] ?? "";
  return chars.slice(0, MAX_CHARS - ending.length).join("") + ending;
}
