import type { ChunkOutline } from "../store/memory-store.ts";
import type { Fused } from "./fuse.ts";

type Ranked = Fused & { readonly chunk: ChunkOutline };

/** After so many pieces of conversations in a row, a note comes next, if one fits nearly as well. */
const CONVERSATIONS_IN_A_ROW = 2;
/** How well, compared with the conversation that it comes before. */
const NEARLY = 0.5;

/**
 * Conversations are many and long, and would push out what somebody wrote down on purpose. The order does not depend
 * on how many are asked for.
 */
export function mixKinds(ranked: readonly Ranked[]): readonly Ranked[] {
  const conversations = ranked.filter(({ chunk }) => chunk.document.kind === "session");
  const notes = ranked.filter(({ chunk }) => chunk.document.kind !== "session");
  if (conversations.length === 0 || notes.length === 0) return ranked;
  const mixed: Ranked[] = [];
  let inARow = 0;
  while (mixed.length < ranked.length) {
    const [note] = notes;
    const [conversation] = conversations;
    const isNoteNext =
      note !== undefined &&
      (conversation === undefined ||
        note.score >= conversation.score ||
        (inARow >= CONVERSATIONS_IN_A_ROW && note.score >= conversation.score * NEARLY));
    const next = isNoteNext ? notes.shift() : conversations.shift();
    if (next === undefined) break;
    inARow = isNoteNext ? 0 : inARow + 1;
    mixed.push(next);
  }
  return mixed;
}
