/** A heading of a note, or one thing that it says. */
export interface NoteItem {
  readonly kind: "heading" | "item";
  readonly text: string;
  /** When and in which conversation an agent noted it. */
  readonly at?: string;
  readonly session?: string;
  /** Who wrote it, besides the user. */
  readonly toldBy: readonly string[];
  /** Another one has taken its place. */
  readonly isSuperseded: boolean;
}

const FACT = /^fact: [^;]+; ([^;]+)(?:; (ses_\w+))?(?:;.*)?$/;
const TOLD = /^told by: (.*)$/;
const BULLET = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/;
const HEADING = /^#{1,6}\s+/;
const SUPERSEDED = /^~~(.*)~~ \(superseded\)$/;

/** What a note says, thing by thing: each point of a list, and each paragraph. */
export function readNote(text: string): readonly NoteItem[] {
  const items: NoteItem[] = [];
  let isOpen = false;
  for (const line of withoutLongComments(text).split("\n")) {
    const { words, comments } = splitComments(line);
    if (words === "") {
      isOpen = false;
      continue;
    }
    const about = readComments(comments);
    const last = items.at(-1);
    if (HEADING.test(words)) {
      items.push({ kind: "heading", text: words.replace(HEADING, ""), ...about, isSuperseded: false });
      isOpen = false;
    } else if (isOpen && !BULLET.test(words) && last !== undefined) {
      const toldBy = [...new Set([...last.toldBy, ...about.toldBy])];
      items[items.length - 1] = { ...last, ...about, text: `${last.text}\n${words}`, toldBy };
    } else {
      const own = words.replace(BULLET, "");
      const [, gone] = SUPERSEDED.exec(own) ?? [];
      items.push({ kind: "item", text: gone ?? own, ...about, isSuperseded: gone !== undefined });
      isOpen = true;
    }
  }
  return items;
}

function readComments(comments: readonly string[]): Pick<NoteItem, "at" | "session" | "toldBy"> {
  const fact = comments.map((comment) => FACT.exec(comment)).find((match) => match !== null);
  const toldBy = comments.flatMap((comment) => TOLD.exec(comment)?.[1]?.split("; ") ?? []);
  const [, at, session] = fact ?? [];
  return {
    ...(at !== undefined && !Number.isNaN(Date.parse(at)) && { at }),
    ...(session !== undefined && { session }),
    toldBy,
  };
}

function splitComments(line: string): { readonly words: string; readonly comments: readonly string[] } {
  const comments: string[] = [];
  let words = "";
  let at = 0;
  for (;;) {
    const from = line.indexOf("<!--", at);
    const to = from === -1 ? -1 : line.indexOf("-->", from);
    if (to === -1) return { words: (words + line.slice(at)).trimEnd(), comments };
    words += line.slice(at, from);
    comments.push(line.slice(from + 4, to).trim());
    at = to + 3;
  }
}

/** Agents do not read them either. */
function withoutLongComments(text: string): string {
  let left = "";
  let at = 0;
  for (;;) {
    const from = text.indexOf("<!--", at);
    const to = from === -1 ? -1 : text.indexOf("-->", from);
    if (to === -1) return left + text.slice(at);
    const isLong = text.slice(from, to).includes("\n");
    left += text.slice(at, isLong ? from : to + 3);
    at = to + 3;
  }
}
