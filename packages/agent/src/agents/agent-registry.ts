import { cutText, makeVisible } from "@deputy/kit";
import type { Effort } from "@deputy/model";
import { markedParts } from "@deputy/memory/told-by";
import { AgentError } from "../agent-error.ts";
import type { AgentMode } from "../turn/offer.ts";
import { describeSkills, readSkills, type SkillShelf } from "../skills/read-skills.ts";
import type { SkillHead } from "../skills/skill.ts";
import { readSkill, type SkillText } from "../skills/skill-source.ts";
import { type TextFolder, readableText } from "./text-folder.ts";
import { DEFAULT_TURN_LIMITS, type TurnLimits } from "../budget/turn-limits.ts";
import type { AgentSettings, AgentsSettings } from "./agent-settings.ts";
import { joinText, ours, type Text, textBy } from "../ingress/labelled-text.ts";

/** The agents there are: those with a folder, those of the configuration, and the default one. */
export interface AgentRegistry {
  /** Reads the files again each time, as `read` does: an edit takes effect from the next turn on. */
  list(signal: AbortSignal): Promise<AgentList>;
  /** Throws `unknown_agent`. */
  read(slug: string, signal: AbortSignal): Promise<AgentDefinition>;
  /** The text of one of its skills. Throws `unknown_agent` or `unknown_skill`. */
  readSkill(slug: string, name: string, signal: AbortSignal): Promise<SkillText>;
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
  readonly fallbacks: readonly string[];
  /** `undefined`: as the model does by itself. */
  readonly effort: Effort | undefined;
  readonly tools: readonly string[];
  readonly mode: AgentMode;
  readonly limits: TurnLimits;
  /** The text of the agent's files, and the list of its skills. */
  readonly instructions: Text;
  readonly skills: readonly SkillHead[];
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
    async readSkill(slug, name, signal) {
      await assertKnown(slug, signal);
      return await readSkill(deps.shelvesOf(slug), { name }, signal);
    },
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
        fallbacks: own.fallbacks ?? forAll.fallbacks ?? [],
        effort: own.effort ?? forAll.effort,
        tools: own.tools ?? forAll.tools ?? ["**"],
        mode,
        limits: joinLimits(forAll, own),
        instructions: joinText(
          [files.text, index.text].filter((text) => text.length > 0),
          ours`\n\n`,
        ),
        skills: shelf.skills.map(({ name, description }) => ({ name, description })),
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

/** Stands where an agent's slug would in the tasks of the user's own programs. */
export const PROGRAM_AGENT = "exec";
const SLUG = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const SLUG_RULE = "lower-case letters, digits and single hyphens, at most 64, and not “exec”";

/** True for what can name an agent, and its folder. */
export function isAgentSlug(text: string): boolean {
  return SLUG.test(text) && text !== PROGRAM_AGENT;
}

/** The files that every prompt of an agent contains, in this order. The ones that change least come first. */
const PROMPT_FILES = ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "MEMORY.md"] as const;
const MAX_FILE_BYTES = 24_000;
const MAX_ALL_CHARS = 60_000;

interface Instructions {
  readonly text: Text;
  /** Problems that the user should fix, each with the file it is about. */
  readonly problems: readonly string[];
}

/**
 * Joins an agent's files into one text. It leaves out missing and empty files, and HTML comments, which are for the
 * person who edits the file. A file that is too large is cut, and the text says so.
 */
async function readInstructions(
  folder: TextFolder,
  slug: string,
  signal: AbortSignal,
): Promise<Instructions> {
  const parts: Text[] = [];
  const problems: string[] = [];
  let room = MAX_ALL_CHARS;
  for (const name of PROMPT_FILES) {
    const path = `${slug}/${name}`;
    const read = await folder.read(path, MAX_FILE_BYTES, signal);
    if (read.kind === "missing") continue;
    if (read.kind === "unreadable") {
      problems.push(`${path} cannot be read: ${read.why}. The agent does without it.`);
      continue;
    }
    if (read.isCut)
      problems.push(`${path} is larger than ${MAX_FILE_BYTES} bytes; the rest is left out of the prompt.`);
    const whole = readableText(read.text).replaceAll(COMMENT, "").trim();
    if (whole === "") continue;
    const text = cutText(whole, room);
    room -= text.length;
    if (text.length < whole.length) {
      problems.push(
        `${path} does not fit: an agent's files have ${MAX_ALL_CHARS} characters in all, and the rest is left out of the prompt.`,
      );
    }
    const isCut = read.isCut || text.length < whole.length;
    const mark = isCut ? ours`\n[The rest of this file was left out.]` : [];
    const by = { kind: "configuration" } as const;
    parts.push(ours`# ${textBy(by, name)}\n${labelled(text, isCut)}${mark}`);
  }
  return { text: joinText(parts, ours`\n\n`), problems };
}

/**
 * Lines that Deputy noted from others' text say whose they are, and stay theirs: that the user has agreed to such a line
 * makes none of it the user's word. Nor does a line that was cut count as that: its mark may be missing.
 */
function labelled(text: string, isCut: boolean): Text {
  const end = isCut ? text.lastIndexOf("\n") + 1 : text.length;
  let rest = 0;
  const parts: Text[] = [];
  for (const { from, to, source } of markedParts(text.slice(0, end))) {
    parts.push(textBy({ kind: "configuration" }, text.slice(rest, from)));
    parts.push(textBy({ kind: "other", source, weight: "text" }, text.slice(from, to)));
    rest = to;
  }
  parts.push(textBy({ kind: "configuration" }, text.slice(rest, end)));
  parts.push(textBy({ kind: "derived", from: [] }, text.slice(end)));
  return parts.flat();
}

/** The mark of whose words a line is stays: the model is to see it, too. */
const COMMENT = /<!--(?! told by: )[^]*?-->/g;

/**
 * The files of a new agent's folder. HTML comments in them are for the person who edits the file; no prompt contains
 * them.
 */
export const DEFAULT_AGENT_FILES: ReadonlyMap<string, string> = new Map([
  [
    "AGENTS.md",
    `<!-- How this agent works. All but comments like this one is part of every prompt: keep it short. -->
- Do what was asked, no more. Ask first when it could mean two things with different effects.
- Look rather than guess: read with tools before you change anything.
- One program that does the whole job beats many small ones. Return only what you need to see.
- Say what was done, what was not, and what failed. Never claim an effect that no tool confirmed.
`,
  ],
  [
    "SOUL.md",
    `<!-- Its manner: tone, temper, what it cares about. -->
Plain, brief, friendly. The answer first, reasons if they help. No flattery. Say so when you do not know. Answer in the user's language.
`,
  ],
  [
    "USER.md",
    `<!-- Who you are, outside of this comment. For example:
- Name: …
- Time zone: Europe/Vienna
- I prefer short answers, and dates as 31 December 2026.
-->
`,
  ],
  [
    "TOOLS.md",
    `<!-- What it should know about your tools, outside of this comment. For example:
- Mail: the account “work” is for clients only.
- Issues: label what you file with “deputy”.
Tools themselves come from plugins and servers; nothing written here makes or allows one.
-->
`,
  ],
  [
    "MEMORY.md",
    `<!-- What it should always remember, outside of this comment. Keep it to what matters in every conversation. -->
`,
  ],
  [
    "HEARTBEAT.md",
    `<!-- What it should look after by itself from time to time, outside of this comment. In no prompt but a
heartbeat's. Empty: nothing. For example:
- Tell me when an issue that is assigned to me has waited for more than two days.
-->
`,
  ],
]);
