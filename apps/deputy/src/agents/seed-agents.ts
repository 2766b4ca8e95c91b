import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_AGENT_FILES } from "@deputy/agent";
import { systemCodeOf } from "@deputy/kit";
import { describeFileFailure } from "../file-failure.ts";

/**
 * Gives each of these agents that has no folder one with the default files, all of them or none. An existing folder
 * is left unchanged, even if files are missing. A failure to write is only reported: an agent works without the
 * files.
 */
export function seedAgents(directory: string, slugs: readonly string[], warn: (text: string) => void): void {
  for (const slug of slugs) {
    const folder = join(directory, slug);
    if (existsSync(folder)) continue;
    const draft = join(directory, `.${slug}.${process.pid}`);
    try {
      mkdirSync(draft, { recursive: true, mode: 0o700 });
      for (const [name, text] of DEFAULT_AGENT_FILES) writeFileSync(join(draft, name), text, { mode: 0o600 });
      renameSync(draft, folder);
    } catch (error) {
      rmSync(draft, { recursive: true, force: true });
      if (systemCodeOf(error) === undefined) throw error;
      if (existsSync(folder)) continue; // Another process was quicker.
      warn(`The files of agent ${slug} could not be made in ${folder}: ${describeFileFailure(error)}`);
    }
  }
}
