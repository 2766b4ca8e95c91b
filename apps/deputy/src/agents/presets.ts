import type { AgentSettings } from "@deputy/agent";
import type { Effort } from "@deputy/model";

/** An agent to begin with: a folder, and its settings. Everything in it may be changed afterwards. */
export interface AgentPreset {
  /** What `deputy agents add` calls it. */
  readonly name: string;
  /** The name of its folder: that of the preset, as far as a folder can be called so. */
  readonly slug: string;
  readonly about: string;
  readonly settings: {
    readonly model: string;
    readonly mode: NonNullable<AgentSettings["mode"]>;
    readonly effort?: Effort;
  };
  /** Its `AGENTS.md`, instead of the usual one. */
  readonly instructions: string;
}

const COMMON = `- Do what was asked, no more. Ask first when it could mean two things with different effects.
- Say what was done, what was not, and what failed. Never claim an effect that no tool confirmed.
`;

export const AGENT_PRESETS: readonly AgentPreset[] = [
  {
    name: "gpt-5.1-codex",
    slug: "gpt-5-1-codex",
    about: "works on code in the workspace, and reasons as much as it takes",
    settings: { model: "openai/gpt-5.1-codex-max", mode: "code", effort: "high" },
    instructions: `<!-- For code in the workspace. All but comments like this one is part of every prompt. -->
${COMMON}- Read the code around a change before you make it, and follow its manner.
- Run what checks the change, such as its tests, and show what they said. If nothing can check it, say so.
- Make the smallest change that does the job. Name anything else that you noticed, and leave it.
`,
  },
  {
    name: "claude-sonnet",
    slug: "claude-sonnet",
    about: "for everyday work that takes several steps",
    settings: { model: "anthropic/claude-sonnet-5-5", mode: "code" },
    instructions: `<!-- For everyday work. All but comments like this one is part of every prompt. -->
${COMMON}- Look rather than guess: read with tools before you change anything.
- One program that does the whole job beats many small ones. Return only what you need to see.
`,
  },
  {
    name: "claude-haiku",
    slug: "claude-haiku",
    about: "quick and cheap, for short questions, sorting and summaries",
    settings: { model: "anthropic/claude-haiku-5-5", mode: "code", effort: "low" },
    instructions: `<!-- For short work. All but comments like this one is part of every prompt. -->
${COMMON}- Be brief. If the work turns out to be long or delicate, say so instead of doing half of it.
- One program that does the whole job beats many small ones. Return only what you need to see.
`,
  },
];
