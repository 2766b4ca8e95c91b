import type { AgentMode } from "../turn/offer.ts";
import type { SkillHead } from "./skill.ts";

export interface SkillIndex {
  readonly text: string;
  readonly problems: readonly string[];
}

/** However many skills there are, this is what the prompt gives them. */
const MAX_CHARS = 6_000;
/** A shorter description says nothing. Skills that do not even have this much room left are not listed. */
const LEAST_DESCRIPTION = 60;

/**
 * The part of a prompt about an agent's skills: names, descriptions, and how to read a skill. Empty when there are
 * none.
 */
export function describeSkills(skills: readonly SkillHead[], mode: AgentMode): SkillIndex {
  if (skills.length === 0) return { text: "", problems: [] };
  const how = mode === "functions" ? "skill_read" : "tools.skill.read({ name })";
  const head = `# Skills\nBefore you do what a skill is about, read it with \`${how}\`:`;
  const room = MAX_CHARS - head.length;
  // On one line each, so that a description cannot look like more than one.
  const flat = skills.map(({ name, description }) => ({ name, line: description.replaceAll(/\s+/g, " ") }));
  const lines = (longest: number): readonly string[] =>
    flat.map(({ name, line }) => `- ${name}: ${shorten(line, longest)}`);
  const lengthOf = (all: readonly string[]): number => all.reduce((sum, line) => sum + line.length + 1, 0);

  const whole = lines(Number.POSITIVE_INFINITY);
  if (lengthOf(whole) <= room) return { text: [head, ...whole].join("\n"), problems: [] };
  const names = lengthOf(lines(0));
  const share = Math.max(LEAST_DESCRIPTION, Math.floor((room - names) / skills.length));
  const cut = lines(share);
  let used = 0;
  const listed = cut.filter((line) => (used += line.length + 1) <= room);
  const rest = skills.length - listed.length;
  const problems =
    rest === 0
      ? [
          `The descriptions of the skills are longer than ${MAX_CHARS} characters in all, and cut in the prompt.`,
        ]
      : [
          `There is no room for ${rest} of ${skills.length} skills in the prompt: the agent knows the others only.`,
        ];
  return { text: [head, ...listed].join("\n"), problems };
}

function shorten(line: string, longest: number): string {
  if (line.length <= longest) return line;
  return `${line.slice(0, Math.max(longest - 1, 0)).replace(/[\ud800-\udbff]$/, "")}…`;
}
