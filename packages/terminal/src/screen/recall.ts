/** What was said before, to be found by a part of it. */
export interface Recall {
  remember(text: string): void;
  /**
   * The newest message that has `draft` in it; given what it found, the next older one. Undefined when there
   * is none. Case does not count.
   */
  search(draft: string): string | undefined;
}

const MOST_REMEMBERED = 1_000;

export function createRecall(): Recall {
  let said: string[] = [];
  let wanted = "";
  let found: { readonly text: string; readonly at: number } | undefined;

  return {
    remember(text) {
      said = [...said.filter((other) => other !== text), text].slice(-MOST_REMEMBERED);
      found = undefined;
    },
    search(draft) {
      const isSame = found !== undefined && found.text === draft;
      if (!isSame) wanted = draft.toLowerCase();
      const before = isSame && found !== undefined ? found.at : said.length;
      const at = said.slice(0, before).findLastIndex((text) => text.toLowerCase().includes(wanted));
      const text = said[at];
      if (text === undefined) return undefined;
      found = { text, at };
      return text;
    },
  };
}
