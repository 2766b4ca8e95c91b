import { makeVisible } from "@deputy/kit";
import { AgentError } from "../agent-error.ts";
import type { AgentMode } from "../turn/offer.ts";
import { describeSkills } from "../skills/skill-index.ts";
import { readSkills, type SkillShelf } from "../skills/read-skills.ts";
import type { TextFolder } from "./text-folder.ts";
import { DEFAULT_TURN_LIMITS, type TurnLimits } from "../budget/turn-limits.ts";
import type { AgentSettings, AgentsSettings } from "./agent-settings.ts";
import { isAgentSlug, SLUG_RULE } from "./agent-slug.ts";
import { joinText, ours, type Text } from "../ingress/labelled-text.ts";
import { readInstructions } from "./instructions.ts";

/** The agents there are: those with a folder, those of the configuration, and the default one. */
export interface AgentRegistry {
  /** Reads the files again each time, as `read` does: an edit takes effect from the next turn on. */
  list(signal: AbortSignal): Promise<AgentList>;
  /** Throws `unknown_agent`. */
  read(slug: string, signal: AbortSignal): Promise<AgentDefinition>;
}

export interface AgentList {
  /** Sorted. */
  readonly slugs: readonly string[];
  readonly problems: readonly string[];
}

/** One agent as it is now. */
export interface AgentDefinition {
  readonly slug: string;
  /** `undefined`: the agent uses the model that is set for all agents. */
  readonly model: string | undefined;
  readonly tools: readonly string[];
  readonly mode: AgentMode;
  readonly limits: TurnLimits;
  /** The text of the agent's files, and the list of its skills. */
  readonly instructions: Text;
  /** Problems that the user should fix. The agent works without what they are about. */
  readonly problems: readonly string[];
}

const MAX_AGENTS = 1_000;

export function createAgentRegistry(deps: {
  /** Has a folder for each agent, named by its slug. */
  readonly folder: TextFolder;
  readonly settings: AgentsSettings;
  readonly shelvesOf: (slug: string) => readonly SkillShelf[];
}): AgentRegistry {
  const { folder, settings } = deps;
  const { forAll, bySlug } = settings;
  const configured = [settings.defaultAgent, ...bySlug.keys()];

  const list = async (signal: AbortSignal): Promise<AgentList> => {
    const found = await folder.list("", MAX_AGENTS, signal);
    if (found.kind === "unreadable")
      return {
        slugs: configured.toSorted(),
        problems: [`The folder of agents cannot be read: ${found.why}.`],
      };
    const named = found.kind === "missing" ? [] : found.entries.filter(isAgentFolder).map(({ name }) => name);
    const problems = named
      .filter((name) => !isAgentSlug(name))
      .map(
        (name) => `“${makeVisible(name)}” cannot name an agent (${SLUG_RULE}); its folder is passed over.`,
      );
    return { slugs: [...new Set([...configured, ...named.filter(isAgentSlug)])].sort(), problems };
  };

  const assertKnown = async (slug: string, signal: AbortSignal): Promise<void> => {
    if (configured.includes(slug)) return;
    if (isAgentSlug(slug) && (await folder.list(slug, 1, signal)).kind !== "missing") return;
    const { slugs } = await list(signal);
    throw new AgentError("unknown_agent", `There is no agent “${makeVisible(slug.slice(0, 100))}”.`, {
      hint: `There are: ${slugs.slice(0, 20).join(", ")}. A folder of that name among the agents makes one.`,
    });
  };

  return {
    list,
    async read(slug, signal) {
      await assertKnown(slug, signal);
      const own = bySlug.get(slug) ?? {};
      const mode = own.mode ?? forAll.mode ?? "code";
      const files = await readInstructions(folder, slug, signal);
      const shelf = await readSkills(deps.shelvesOf(slug), signal);
      const index = describeSkills(shelf.skills, mode);
      return {
        slug,
        model: own.model ?? forAll.model,
        tools: own.tools ?? forAll.tools ?? ["**"],
        mode,
        limits: joinLimits(forAll, own),
        instructions: joinText(
          [files.text, index.text].filter((text) => text.length > 0),
          ours`\n\n`,
        ),
        problems: [...files.problems, ...shelf.problems, ...index.problems],
      };
    },
  };
}

function isAgentFolder({ kind, name }: { readonly kind: string; readonly name: string }): boolean {
  return kind === "folder" && !name.startsWith(".");
}

function joinLimits(forAll: AgentSettings, own: AgentSettings): TurnLimits {
  const budget = { ...forAll.budget, ...own.budget };
  return { ...DEFAULT_TURN_LIMITS, ...forAll.limits, ...own.limits, budget };
}
