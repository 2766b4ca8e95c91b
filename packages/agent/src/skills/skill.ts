import { makeVisible } from "@deputy/kit";
import { readableText } from "../agents/text-folder.ts";
import { parseFrontMatter } from "./front-matter.ts";

/** The fields at the head of a skill; see agentskills.io/specification. */
export interface SkillHead {
  readonly name: string;
  readonly description: string;
}

export type ParsedSkill =
  | { readonly kind: "ok"; readonly head: SkillHead; readonly body: string }
  | { readonly kind: "bad"; readonly why: string };

const FIELDS = ["name", "description", "compatibility"] as const;
const MAX_NAME_CHARS = 64;
const MAX_DESCRIPTION_CHARS = 1_024;
const MAX_COMPATIBILITY_CHARS = 500;
/** The letters and digits of any script; what has an upper case form is in its lower one. */
const NAME = /^[\p{L}\p{M}\p{Nd}]+(?:-[\p{L}\p{M}\p{Nd}]+)*$/u;

/** Reads the text of a SKILL.md that lies in a folder of the given name. */
export function parseSkill(folder: string, text: string): ParsedSkill {
  const parsed = parseFrontMatter(readableText(text), FIELDS);
  if (parsed.kind === "bad") return parsed;
  // Again, because escapes in a quoted value can produce invisible characters.
  const shown = (field: (typeof FIELDS)[number]): string => makeVisible(parsed.fields[field] ?? "");
  const name = shown("name");
  const description = shown("description");
  const why = nameProblem(name, folder) ?? textProblem(description, shown("compatibility"));
  if (why !== undefined) return { kind: "bad", why };
  return { kind: "ok", head: { name, description }, body: parsed.body };
}

/** The way in which a skill's name breaks the standard, if it does. */
export function nameProblem(name: string, folder: string): string | undefined {
  if (name === "") return "it has no name";
  if (name.length > MAX_NAME_CHARS) return `its name is longer than ${MAX_NAME_CHARS} characters`;
  if (!NAME.test(name) || name !== name.toLowerCase())
    return `its name “${name}” is not made of lower-case letters, digits and single hyphens`;
  if (name !== folder) return `its name “${name}” is not that of its folder`;
  return undefined;
}

function textProblem(description: string, compatibility: string): string | undefined {
  if (description === "") return "it has no description";
  if (description.length > MAX_DESCRIPTION_CHARS)
    return `its description is longer than ${MAX_DESCRIPTION_CHARS} characters`;
  if (compatibility.length > MAX_COMPATIBILITY_CHARS)
    return `what it says of its compatibility is longer than ${MAX_COMPATIBILITY_CHARS} characters`;
  return undefined;
}
