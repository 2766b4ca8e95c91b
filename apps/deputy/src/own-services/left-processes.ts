import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder with the records of commands in the background. */
export function processFolderOf(home: string): string {
  return join(home, "processes");
}

/** Did an earlier process die while such commands ran? This is a module of its own, because every start asks it. */
export function hasLeftProcesses(home: string): boolean {
  return existsSync(processFolderOf(home));
}
