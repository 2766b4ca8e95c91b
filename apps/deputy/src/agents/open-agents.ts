import { join, resolve } from "node:path";
import { type AgentRegistry, type AgentsSettings, createAgentRegistry, type SkillShelf } from "@deputy/agent";
import type { Home } from "../home.ts";
import { agentsSettings } from "./agents-settings.ts";
import { openDiskFolder } from "./disk-folder.ts";

/** A home's agents, and where their skills are. */
export interface HomeAgents {
  readonly directory: string;
  readonly settings: AgentsSettings;
  readonly registry: AgentRegistry;
  /** The agent's own first, then the home's, then those of the working directory. */
  shelvesOf(slug: string): readonly SkillShelf[];
}

export function openAgents(home: Pick<Home, "directory" | "config">, workingDirectory: string): HomeAgents {
  const directory = resolve(home.directory, home.config.agents.workspacePath);
  const shelf = (label: string, ...path: readonly string[]): SkillShelf => ({
    label,
    folder: openDiskFolder(join(...path), { within: "entry" }),
  });
  const project: SkillShelf = {
    label: ".claude/skills",
    wordsOf: "others",
    folder: openDiskFolder(join(workingDirectory, ".claude", "skills"), {
      within: "directory",
      directory: workingDirectory,
    }),
  };
  const shelvesOf = (slug: string): readonly SkillShelf[] => [
    shelf(`agents/${slug}/skills`, directory, slug, "skills"),
    shelf("skills", home.directory, "skills"),
    // Last, because files in somebody's repository must not replace the user's own.
    ...(home.config.skills.fromWorkingDirectory ? [project] : []),
  ];
  const settings = agentsSettings(home.config);
  const registry = createAgentRegistry({
    folder: openDiskFolder(directory, { within: "anywhere" }),
    settings,
    shelvesOf,
  });
  return { directory, settings, registry, shelvesOf };
}
