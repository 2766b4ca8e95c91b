import { makeVisible } from "@deputy/kit";
import { WorkspaceError } from "./workspace-error.ts";

const MOST_CHARS = 4_096;
const MOST_NAME_CHARS = 255;
const MOST_NAMES = 64;

/**
 * A path inside the workspace in its normal form: names separated by `/`, `""` for the folder itself. Throws
 * `path_refused` for a path that could lead anywhere but down, or that some system would read differently.
 */
export function readPath(path: string): string {
  const refuse = (why: string): WorkspaceError =>
    new WorkspaceError("path_refused", `“${makeVisible(path.slice(0, 200))}” ${why}`, {
      hint: "Paths are relative to the workspace, such as notes/todo.md.",
    });
  if (path.length > MOST_CHARS) throw refuse("is too long a path");
  if (path.startsWith("/") || /^[A-Za-z]:/.test(path)) throw refuse("is an absolute path");
  if (/[\0\\]/.test(path)) throw refuse("has a character that paths cannot have here");
  if (!path.isWellFormed()) throw refuse("is not valid Unicode");
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.includes("..")) throw refuse("leads out of the workspace, or may");
  if (names.length > MOST_NAMES) throw refuse("lies too deep");
  if (names.some((name) => name.length > MOST_NAME_CHARS)) throw refuse("has too long a name in it");
  return names.join("/");
}

/** The same for a file; the folder itself is not a file. */
export function readFilePath(path: string): string {
  const read = readPath(path);
  if (read !== "") return read;
  throw new WorkspaceError("not_a_file", "The workspace itself is not a file");
}

/**
 * The same for a file to write or remove. Throws `path_refused` for git's own files: they can make git run
 * programs, so only git writes them.
 */
export function readChangePath(path: string): string {
  const at = readFilePath(path);
  if (!at.split("/").some(isGitFolder)) return at;
  throw new WorkspaceError("path_refused", `“${makeVisible(at.slice(0, 200))}” belongs to git`, {
    hint: "Run git, which keeps its own files.",
  });
}

/** `.git`, also in spellings that some file systems treat as the same name. */
export function isGitFolder(name: string): boolean {
  const folded = foldName(name);
  // The short names that Windows makes for old programs.
  return folded === ".git" || /^git~\d+$/.test(folded);
}

/**
 * A name as the most lenient file systems compare it: ignores case, invisible characters (HFS+), dots and
 * blanks at the end, and the name of a stream (NTFS).
 */
export function foldName(name: string): string {
  return name
    .normalize("NFKC")
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/(?<=.):.*$/su, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
}

/** True for names that `readPath` keeps unchanged, so that a file on disk can be addressed. */
export function isPlainName(name: string): boolean {
  return (
    name !== "" &&
    name !== "." &&
    name !== ".." &&
    name.length <= MOST_NAME_CHARS &&
    !/[\0\\/\ufffd]/.test(name) &&
    !/^[A-Za-z]:/.test(name) &&
    name.isWellFormed()
  );
}

export function joinPath(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}
