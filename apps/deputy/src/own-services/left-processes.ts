import { existsSync } from "node:fs";
import { join } from "node:path";

/** The folder with the records of commands in the background. */
export function processFolderOf(home: string): string {
  return join(home, "processes");
}

/** True if an earlier process died while such commands ran. This is a separate module because every start asks. */
export function hasLeftProcesses(home: string): boolean {
  return existsSync(processFolderOf(home));
}
