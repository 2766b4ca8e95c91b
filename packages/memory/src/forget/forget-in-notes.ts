import { throwIfAborted } from "@deputy/kit";
import type { KeptOnForgetting } from "@deputy/protocol";
import { MemoryError } from "../memory-error.ts";
import { parseFact } from "../notes/fact-line.ts";
import { linesOf, textOf } from "../notes/line-edit.ts";
import type { NoteFiles } from "../notes/note-keeper.ts";
import { markedParts } from "../text/told-by.ts";
import { type Item, nameOfNote, type WishMatcher } from "./wish.ts";

export interface ForgottenInNotes {
  readonly lines: number;
  /** Those of which nothing is left. */
  readonly files: readonly string[];
  readonly kept: readonly KeptOnForgetting[];
  /** The first of the lines; none once they are gone. */
  readonly shown: readonly LineToForget[];
}

export interface LineToForget {
  readonly path: string;
  readonly text: string;
}

/** What can be shown of what would go: enough to see that it is what was meant. */
const MOST_SHOWN = 20;
const SHOWN_CHARS = 300;

const DAY = /(\d{4}-\d{2}-\d{2})[^/]*$/;

/**
 * Removes the lines of notes that a wish is about, and files of which nothing is left. A file that cannot be read or
 * written is named, and so is a skill that would be none without the lines. Idempotent. Rejects with the signal's reason on abort.
 */
export async function forgetInNotes(
  files: NoteFiles,
  { lines: linesFor }: Pick<WishMatcher, "lines">,
  options: { readonly do: "erase" | "count"; readonly agentId: string | undefined },
  signal: AbortSignal,
): Promise<ForgottenInNotes> {
  let lines = 0;
  const emptied: string[] = [];
  const kept: KeptOnForgetting[] = [];
  const shown: LineToForget[] = [];
  for (const path of await files.list(options.agentId)) {
    throwIfAborted(signal);
    try {
      const text = await files.read(path);
      const all = linesOf(text);
      const gone = linesFor(all, (line) => aboutLine(path, all[line] ?? ""));
      if (gone.size === 0) continue;
      const left = all.filter((_, at) => !gone.has(at));
      const isEmpty = left.every((line) => line.trim() === "");
      if (!isEmpty && path.endsWith("/SKILL.md") && [...gone].some((line) => line < headOf(all))) {
        const way = `\`deputy memory forget --source ${path}\` removes it as a whole`;
        kept.push({
          what: path,
          why: `It is in the head of a skill, which needs it: ${way}`,
          count: gone.size,
        });
        continue;
      }
      const toShow = options.do === "count" ? [...gone].slice(0, MOST_SHOWN - shown.length) : [];
      shown.push(...toShow.map((line) => ({ path, text: (all[line] ?? "").slice(0, SHOWN_CHARS) })));
      if (options.do === "erase") await files.write(path, isEmpty ? null : textOf(left));
      lines += gone.size;
      if (isEmpty) emptied.push(path);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      kept.push({ what: path, why: error.message, count: 1 });
    }
  }
  return { lines, files: emptied, kept, shown };
}

/** How many lines the head of a skill has, with its name and description. */
function headOf(lines: readonly string[]): number {
  return lines[0]?.trim() === "---" ? lines.findIndex((line, at) => at > 0 && line.trim() === "---") + 1 : 0;
}

/** A fact says when it was noted; of other lines in daily notes, the day is known. */
function aboutLine(path: string, line: string): Omit<Item, "text"> {
  const [, day] = DAY.exec(path) ?? [];
  const fact = parseFact(line);
  const at = fact?.at ?? (day === undefined ? undefined : `${day}T12:00:00.000Z`);
  const told = markedParts(line).flatMap(({ source }) => source.split("; "));
  const session = fact?.source;
  const sources = [path, ...told, ...(session === undefined ? [] : [session])];
  return { at, sources, names: [...nameOfNote(path), ...told] };
}
