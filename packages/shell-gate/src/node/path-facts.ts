import { lstatSync, opendirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import type { Entry, PathFacts } from "../paths/path-facts.ts";

/** Facts of this machine's file system. What cannot be looked at counts as absent. */
export function createPathFacts(): PathFacts {
  return {
    look: (path) => orNothing(() => look(path)),
    target: (path) => orNothing(() => readlinkSync(path)),
    list: (path, limit) => orNothing(() => list(path, limit)),
    text: (path, limit) => orNothing(() => read(path, limit)?.toString("utf8")),
    bytes: (path, limit) => orNothing(() => read(path, limit)),
  };
}

function look(path: string): Entry {
  const found = lstatSync(path);
  const names = found.nlink;
  if (found.isSymbolicLink()) return { kind: "link", names };
  if (found.isDirectory()) return { kind: "directory", names };
  return { kind: found.isFile() ? "file" : "other", names };
}

function read(path: string, limit: number): Buffer | undefined {
  return statSync(path).size > limit ? undefined : readFileSync(path);
}

function list(path: string, limit: number): readonly string[] {
  const names: string[] = [];
  const directory = opendirSync(path);
  try {
    for (
      let entry = directory.readSync();
      entry !== null && names.length <= limit;
      entry = directory.readSync()
    )
      names.push(entry.name);
  } finally {
    directory.closeSync();
  }
  return names;
}

function orNothing<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
