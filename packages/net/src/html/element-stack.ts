/** The elements that are open, the innermost last. */
export interface ElementStack<Own> {
  /** Opens an element, after closing those that it ends implicitly; `own` is called in between. */
  open(name: string, own: () => Own): void;
  /** Closes the element and everything still open in it; does nothing if it is not open. */
  close(name: string): void;
  readonly top: Own | undefined;
  /** True if an element with that name is open, at any depth. */
  has(name: string): boolean;
  closeAll(): void;
}

const WORDS = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const BLOCKS =
  WORDS(`address article aside blockquote body caption center dd details dialog dir div dl dt
fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section
summary table tbody td tfoot th thead tr ul`);

/** The innermost blocks that an element ends; every block ends a paragraph. */
const ENDS: Readonly<Record<string, ReadonlySet<string>>> = {
  li: WORDS("p li"),
  dt: WORDS("p dt dd"),
  dd: WORDS("p dt dd"),
  td: WORDS("p td th"),
  th: WORDS("p td th"),
  tr: WORDS("p td th tr caption"),
  thead: WORDS("p td th tr thead tbody tfoot caption"),
  tbody: WORDS("p td th tr thead tbody tfoot caption"),
  tfoot: WORDS("p td th tr thead tbody tfoot caption"),
};
const PARAGRAPH = WORDS("p");

interface Entry<Own> {
  readonly name: string;
  readonly own: Own;
  /** The index of the innermost block, possibly itself; -1 if there is none. */
  readonly block: number;
}

/** Each element is opened and closed once, so all of it takes linear time at any nesting depth. */
export function createElementStack<Own>(onClose: (name: string, own: Own) => void): ElementStack<Own> {
  const entries: Entry<Own>[] = [];
  const counts = new Map<string, number>();

  const pop = (): string | undefined => {
    const entry = entries.pop();
    if (entry === undefined) return undefined;
    counts.set(entry.name, (counts.get(entry.name) ?? 1) - 1);
    onClose(entry.name, entry.own);
    return entry.name;
  };
  const has = (name: string): boolean => (counts.get(name) ?? 0) > 0;
  const innermostBlock = (): string | undefined => entries[entries.at(-1)?.block ?? -1]?.name;
  const closeTo = (name: string): void => {
    for (let popped = pop(); popped !== undefined && popped !== name;) popped = pop();
  };

  return {
    open(name, makeOwn) {
      const isBlock = BLOCKS.has(name);
      const ends = ENDS[name] ?? PARAGRAPH;
      if (isBlock)
        for (let block = innermostBlock(); block !== undefined && ends.has(block); block = innermostBlock())
          closeTo(block);
      const own = makeOwn();
      entries.push({ name, own, block: isBlock ? entries.length : (entries.at(-1)?.block ?? -1) });
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    close(name) {
      if (has(name)) closeTo(name);
    },
    get top() {
      return entries.at(-1)?.own;
    },
    has,
    closeAll() {
      while (pop() !== undefined);
    },
  };
}
