import { makeVisible } from "@deputy/kit";
import { markedParts } from "@deputy/memory/told-by";
import type { TextFolder } from "../agents/text-folder.ts";
import { parseSkill, type SkillHead } from "./skill.ts";

/** A place where skills lie, each in a folder of its own. */
export interface SkillShelf {
  /** How messages name it. */
  readonly label: string;
  readonly folder: TextFolder;
  /** Whose words its skills are. `others`: of a working directory, which anybody may have written. Absent: the user's. */
  readonly wordsOf?: "user" | "others";
}

/** A skill with the place that it was found in. */
export interface ShelvedSkill extends SkillHead {
  /** Who wrote it, if not the user. */
  readonly writtenBy?: string;
}

/**
 * The name that labels and questions give to the author of a skill; undefined for the user's own. A skill that an agent
 * proposed after it had read others' text says so behind its head.
 */
export function authorOf({ label, wordsOf }: SkillShelf, text: string): string | undefined {
  if (wordsOf === "others") return `skills in ${label}`;
  return markedParts(text)[0]?.source;
}

export interface SkillList {
  /** Sorted by name. */
  readonly skills: readonly ShelvedSkill[];
  readonly problems: readonly string[];
}

/** A skill's head must end within the first bytes of the file, this many. */
const HEAD_BYTES = 16_384;
const MAX_FOLDERS = 500;

/** The heads of all skills there are. A bad one is a problem, and passed over; of two with one name, that of the earlier shelf counts. */
export async function readSkills(shelves: readonly SkillShelf[], signal: AbortSignal): Promise<SkillList> {
  const found = new Map<string, { readonly head: ShelvedSkill; readonly label: string }>();
  const problems: string[] = [];
  for (const shelf of shelves) {
    const { label, folder } = shelf;
    const listed = await folder.list("", MAX_FOLDERS, signal);
    if (listed.kind === "missing") continue;
    if (listed.kind === "unreadable") {
      problems.push(`Skills in ${label} cannot be read: ${listed.why}.`);
      continue;
    }
    if (listed.isCut)
      problems.push(`Skills in ${label} beyond the first ${MAX_FOLDERS} folders are passed over.`);
    for (const { name, kind } of listed.entries) {
      if (kind !== "folder" || name.startsWith(".")) continue;
      const head = await readHead(shelf, name, signal);
      if (head === undefined) continue;
      const taken = found.get(name);
      if (typeof head === "string")
        problems.push(`The skill ${label}/${makeVisible(name)} is passed over: ${head}.`);
      else if (taken !== undefined)
        problems.push(
          `The skill ${label}/${name} is passed over: there is one of that name in ${taken.label}.`,
        );
      else found.set(name, { head, label });
    }
  }
  const skills = [...found.values()].map(({ head }) => head);
  return { skills: skills.sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/** Undefined for a folder without a skill, otherwise the skill's head or the problem with it. */
async function readHead(
  shelf: SkillShelf,
  name: string,
  signal: AbortSignal,
): Promise<ShelvedSkill | string | undefined> {
  const read = await shelf.folder.read(`${name}/SKILL.md`, HEAD_BYTES, signal);
  if (read.kind === "missing") return undefined;
  if (read.kind === "unreadable") return read.why;
  const parsed = parseSkill(name, read.text);
  if (parsed.kind !== "ok") return parsed.why;
  const writtenBy = authorOf(shelf, read.text);
  return writtenBy === undefined ? parsed.head : { ...parsed.head, writtenBy };
}
