import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where is noted down which commands run in the background. */
export function processFolderOf(home: string): string {
  return join(home, "processes");
}

/** Whether an earlier process died while such commands ran. Apart from the rest: asked at every start. */
export function hasLeftProcesses(home: string): boolean {
  return existsSync(processFolderOf(home));
}
