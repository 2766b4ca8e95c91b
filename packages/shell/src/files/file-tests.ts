import { type FileStat, FileSystemError } from "@deputy/vfs";
import type { Shell } from "../run/shell.ts";
import { absolutePath } from "./paths.ts";

/** Undefined if there is nothing at this path. */
export function statPath(
  shell: Shell,
  path: string,
  links: "follow" | "keep" = "follow",
): FileStat | undefined {
  if (path === "") return undefined;
  try {
    return shell.runtime.fileSystem.stat(absolutePath(shell.cwd, path), links);
  } catch (error) {
    if (error instanceof FileSystemError) return undefined;
    throw error;
  }
}

/** The tests of `[ -x file ]` that are about files. */
export function testFile(shell: Shell, operator: string, path: string): boolean {
  const descriptor = /^\/dev\/(?:fd\/(\d+)|std(in|out|err))$/.exec(path);
  if (descriptor !== null) {
    const number = descriptor[1] ?? { in: "0", out: "1", err: "2" }[descriptor[2] ?? "in"] ?? "0";
    const isOpen = shell.channel(Number(number)) !== undefined;
    return isOpen && "aerwpcS".includes(operator.charAt(1)) && operator !== "-S";
  }
  const stat = statPath(shell, path, operator === "-h" || operator === "-L" ? "keep" : "follow");
  if (stat === undefined) return false;
  switch (operator) {
    case "-a":
    case "-e":
      return true;
    case "-f":
      return stat.kind === "file";
    case "-d":
      return stat.kind === "directory";
    case "-h":
    case "-L":
      return stat.kind === "symlink";
    case "-s":
      return stat.size > 0 || stat.kind === "directory";
    case "-r":
      return (stat.mode & 0o444) !== 0;
    case "-w":
      return (stat.mode & 0o222) !== 0;
    case "-x":
      return (stat.mode & 0o111) !== 0;
    case "-c":
      return stat.kind === "device";
    case "-k":
      return (stat.mode & 0o1000) !== 0;
    case "-g":
      return (stat.mode & 0o2000) !== 0;
    case "-u":
      return (stat.mode & 0o4000) !== 0;
    case "-O":
    case "-G":
      return true;
    case "-N":
      return stat.mtime > stat.atime;
    default:
      return false;
  }
}

/** `-nt`, `-ot` and `-ef`. */
export function compareFiles(shell: Shell, operator: string, left: string, right: string): boolean {
  const a = statPath(shell, left);
  const b = statPath(shell, right);
  if (operator === "-ef") return a !== undefined && b !== undefined && a.ino === b.ino;
  if (operator === "-nt") return a !== undefined && (b === undefined || a.mtime > b.mtime);
  return b !== undefined && (a === undefined || a.mtime < b.mtime);
}
