import { makeVisible } from "@deputy/kit";

/** Events that the page does not show, kept until the next answer reports them. */
export interface PageNotes {
  add(note: string): void;
  /** All since the last time. */
  take(): readonly string[];
}

const MOST_NOTES = 20;
const MOST_CHARS = 300;

export function createPageNotes(): PageNotes {
  let notes: string[] = [];
  let more = 0;
  return {
    add(note) {
      const shown = makeVisible(note.slice(0, MOST_CHARS)).replaceAll("\n", " ");
      if (notes.includes(shown)) return;
      if (notes.length < MOST_NOTES) notes.push(shown);
      else more += 1;
    },
    take() {
      const taken = more === 0 ? notes : [...notes, `And ${more} more.`];
      notes = [];
      more = 0;
      return taken;
    },
  };
}
