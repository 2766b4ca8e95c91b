import { throwIfAborted } from "@deputy/kit";
import type { KeptOnForgetting } from "@deputy/protocol";
import { MemoryError } from "../memory-error.ts";
import { parseFact } from "../notes/fact-line.ts";
import { linesOf, textOf } from "../notes/line-edit.ts";
import type { NoteFiles } from "../notes/note-keeper.ts";
import { markedParts } from "../text/told-by.ts";
import type { Item, WishMatcher } from "./wish.ts";

export interface ForgottenInNotes {
  readonly lines: number;
  readonly files: number;
  readonly kept: readonly KeptOnForgetting[];
}

const DAY = /(\d{4}-\d{2}-\d{2})[^/]*$/;

/**
 * Removes the lines of notes that a wish is about, and files of which nothing is left. A file that cannot be read or
 * written is named. Idempotent. Rejects with the signal's reason on abort.
 */
export async function forgetInNotes(
  files: NoteFiles,
  { lines: linesFor }: Pick<WishMatcher, "lines">,
  options: { readonly do: "erase" | "count"; readonly agentId: string | undefined },
  signal: AbortSignal,
): Promise<ForgottenInNotes> {
  let [lines, emptied] = [0, 0];
  const kept: KeptOnForgetting[] = [];
  for (const path of await files.list(options.agentId)) {
    throwIfAborted(signal);
    try {
      const text = await files.read(path);
      const all = linesOf(text);
      const gone = linesFor(all, (line) => aboutLine(path, all[line] ?? ""));
      if (gone.size === 0) continue;
      const left = all.filter((_, at) => !gone.has(at));
      const isEmpty = left.every((line) => line.trim() === "");
      if (options.do === "erase") await files.write(path, isEmpty ? null : textOf(left));
      lines += gone.size;
      if (isEmpty) emptied += 1;
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      kept.push({ what: path, why: error.message, count: 1 });
    }
  }
  return { lines, files: emptied, kept };
}

/** A fact says when it was noted; of other lines in daily notes, the day is known. */
function aboutLine(path: string, line: string): Omit<Item, "text"> {
  const [, day] = DAY.exec(path) ?? [];
  const fact = parseFact(line);
  const at = fact?.at ?? (day === undefined ? undefined : `${day}T12:00:00.000Z`);
  const told = markedParts(line).flatMap(({ source }) => source.split("; "));
  const session = fact?.source;
  return { at, sources: [path, ...told, ...(session === undefined ? [] : [session])] };
}
