import type { FileSystem, FileSystemErrorCode, FileSystemLimits } from "@deputy/vfs";
import { expect } from "vitest";

/** Opens an empty file system. Its clock gives another time with each call. */
export type OpenFileSystem = (about: { readonly limits?: Partial<FileSystemLimits> }) => FileSystem;

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Writes files, and makes the directories above them. A text `-> x` makes a link that says `x`. */
export function fillFiles(fileSystem: FileSystem, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const names = path.split("/").slice(1, -1);
    for (let depth = 1; depth <= names.length; depth += 1) {
      const folder = `/${names.slice(0, depth).join("/")}`;
      if (!exists(fileSystem, folder)) fileSystem.makeDirectory(folder);
    }
    if (text.startsWith("-> ")) fileSystem.symlink(text.slice(3), path);
    else if (!path.endsWith("/")) fileSystem.writeFile(path, bytesOf(text));
  }
}

export function exists(fileSystem: FileSystem, path: string): boolean {
  try {
    fileSystem.stat(path, "keep");
    return true;
  } catch {
    return false;
  }
}

/** Every path below `/`, but for `/dev`, with what is there: text, `-> target`, or nothing for a directory. */
export function treeOf(fileSystem: FileSystem, folder = ""): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name, kind } of fileSystem.readDirectory(folder === "" ? "/" : folder)) {
    const path = `${folder}/${name}`;
    if (path === "/dev") continue;
    if (kind === "directory") Object.assign(found, { [`${path}/`]: "" }, treeOf(fileSystem, path));
    else if (kind === "symlink") found[path] = `-> ${fileSystem.readLink(path)}`;
    else found[path] = textOf(fileSystem.readFile(path));
  }
  return found;
}

export function expectCode(code: FileSystemErrorCode, act: () => unknown, about = ""): void {
  let thrown: unknown;
  try {
    act();
  } catch (error) {
    thrown = error;
  }
  expect(thrown, `${about} ${code}`).toMatchObject({ name: "FileSystemError", code });
}
