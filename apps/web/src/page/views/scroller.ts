/**
 * The only code that scrolls a conversation. What the reader looks at stands still whatever happens above or below it.
 * The view rides along with the end only after the reader went there, and one step up lets go.
 */
export interface Scroller {
  /** Shows the end, or the row with that key. */
  begin(key?: string, words?: string): void;
  /** The next row at the end rises to the top. */
  anchorNext(): void;
  /** Call it before the rows change, and the other after, in the same frame. */
  beforeChange(): void;
  afterChange(): void;
  toEnd(): void;
  /** It follows the end. */
  isRiding(): boolean;
  /** There is so little that nobody can scroll up to see more. */
  isShort(): boolean;
}

/** Nearer than this is the end; a step up of more than the other lets go. */
const ATTACH_PX = 48;
const DETACH_PX = 4;
const TOP_PX = 400;
const ABOVE_PX = 16;

export function createScroller(deps: {
  readonly scroll: HTMLElement;
  readonly rows: HTMLElement;
  /** Below the rows: makes room so that the last message can stand at the top. */
  readonly spacer: HTMLElement;
  readonly onTop: () => void;
  readonly onNews: (hasNews: boolean) => void;
  readonly signal: AbortSignal;
}): Scroller {
  const { scroll, rows, spacer, signal } = deps;
  let isRiding = true;
  let isAnchoring = false;
  let anchorKey: string | undefined;
  let lastTop = 0;
  let lastHeight = 0;
  let held: { readonly element: Element; readonly top: number } | undefined;

  const endGap = (): number =>
    scroll.scrollHeight - spacer.offsetHeight - scroll.scrollTop - scroll.clientHeight;
  const setTop = (top: number): void => {
    scroll.scrollTop = top;
    lastTop = scroll.scrollTop;
  };
  const rowOf = (key: string): HTMLElement | null => rows.querySelector(`[data-key="${CSS.escape(key)}"]`);

  /** As much room below as the anchored row needs to stand at the top, and no more. */
  const makeRoom = (): void => {
    const row = anchorKey === undefined ? null : rowOf(anchorKey);
    if (row === null) {
      spacer.style.setProperty("height", "0px");
      return;
    }
    const below = rows.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
    const room = Math.max(0, scroll.clientHeight - below - 2 * ABOVE_PX);
    spacer.style.setProperty("height", `${room}px`);
  };
  const toEnd = (): void => setTop(scroll.scrollHeight - spacer.offsetHeight - scroll.clientHeight);
  const tellNews = (): void => deps.onNews(!isRiding && endGap() > ATTACH_PX);

  /** Growth that no change of rows announced: a fold, a picture, a line of an answer. */
  const observer = new ResizeObserver(() => {
    makeRoom();
    if (isRiding) toEnd();
    tellNews();
    lastHeight = scroll.scrollHeight;
  });
  observer.observe(rows);
  observer.observe(scroll);
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });

  scroll.addEventListener(
    "scroll",
    () => {
      const top = scroll.scrollTop;
      // Only the reader decides: a change of the height alone is not a step.
      if (top < lastTop - DETACH_PX && scroll.scrollHeight >= lastHeight) isRiding = false;
      else if (top > lastTop && endGap() < ATTACH_PX && anchorKey === undefined) isRiding = true;
      else if (top > lastTop && endGap() >= -DETACH_PX && endGap() < ATTACH_PX) isRiding = true;
      if (top < TOP_PX && top < lastTop) deps.onTop();
      lastTop = top;
      lastHeight = scroll.scrollHeight;
      tellNews();
    },
    { signal, passive: true },
  );

  return {
    begin(key, words = "") {
      const row = key === undefined ? null : rowOf(key);
      isRiding = row === null;
      makeRoom();
      if (row === null) toEnd();
      else {
        for (const other of rows.querySelectorAll(".found")) other.classList.remove("found");
        row.classList.add("found");
        const sentence = markWords(row, words);
        const shift =
          sentence === undefined ? 0 : sentence.getBoundingClientRect().top - row.getBoundingClientRect().top;
        // A sentence far down in a long answer stands in the upper third.
        const isFar = shift > scroll.clientHeight / 2;
        setTop(row.offsetTop - ABOVE_PX + (isFar ? shift - scroll.clientHeight / 3 : 0));
      }
      tellNews();
    },
    anchorNext() {
      isAnchoring = true;
    },
    beforeChange() {
      if (isRiding) return;
      const top = scroll.getBoundingClientRect().top;
      const element = [...rows.children].find((row) => row.getBoundingClientRect().bottom > top);
      held = element === undefined ? undefined : { element, top: element.getBoundingClientRect().top };
    },
    afterChange() {
      if (isAnchoring) {
        const said = [...rows.querySelectorAll<HTMLElement>(".row-said")].at(-1);
        const key = said?.dataset["key"];
        if (said !== undefined && key !== undefined && key !== anchorKey) {
          isAnchoring = false;
          isRiding = false;
          anchorKey = key;
          makeRoom();
          setTop(said.offsetTop - ABOVE_PX);
          return;
        }
      }
      makeRoom();
      if (isRiding) toEnd();
      else if (held?.element.isConnected === true) {
        const moved = held.element.getBoundingClientRect().top - held.top;
        if (Math.abs(moved) >= 1) setTop(scroll.scrollTop + moved);
      }
      tellNews();
    },
    toEnd() {
      isRiding = true;
      toEnd();
      tellNews();
    },
    isRiding: () => isRiding,
    isShort: () => rows.offsetHeight < scroll.clientHeight,
  };
}

/** Marks words in a row without changing it, and gives the place of the first. */
function markWords(row: HTMLElement, words: string): Range | undefined {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.textContent?.toLowerCase() ?? "";
    for (const word of wanted)
      for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
        const range = document.createRange();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
  }
  if ("highlights" in CSS) CSS.highlights.set("found-words", new Highlight(...ranges));
  return ranges[0];
}
