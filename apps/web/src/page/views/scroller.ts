/**
 * The only code that scrolls a conversation. What the reader looks at stands still whatever happens above or below it.
 * The view rides along with the end only after the reader went there, and one step up lets go.
 */
export interface Scroller {
  /** Shows the end, or the row with that key. */
  begin(key?: string, words?: string): void;
  /** What is said next, after the row with that key, rises to the top. */
  anchorNext(after: string | undefined): void;
  /** It is shown below what it was said into. Nothing moves if it is in sight there. */
  showNext(after: string | undefined): void;
  /** Call it before the rows change, and the other after, in the same frame. */
  beforeChange(): void;
  afterChange(): void;
  toEnd(): void;
  /** It follows the end. */
  isRiding(): boolean;
  /** The row that the reader looks at first. */
  seenKey(): string | undefined;
  /** There is so little that nobody can scroll up to see more. */
  isShort(): boolean;
}

/** Who goes down and is nearer than this has come to the end; who goes up by more than the other has left it. */
const ATTACH_PX = 150;
const DETACH_PX = 24;
/** An end that is so little above the lower edge is no end that the reader went past. */
const PAST_END_PX = 4;
/** So near to what is not drawn yet, it is. */
const NEAR_PX = 400;
const ABOVE_PX = 16;

export function createScroller(deps: {
  readonly scroll: HTMLElement;
  readonly rows: HTMLElement;
  /** Below the rows: makes room so that the last message can stand at the top. */
  readonly spacer: HTMLElement;
  /** The reader comes near the first or the last row. */
  readonly onTop: () => void;
  readonly onBottom: () => void;
  /** The last row is the conversation's. */
  readonly hasEnd: () => boolean;
  readonly onNews: (hasNews: boolean) => void;
  readonly signal: AbortSignal;
}): Scroller {
  const { scroll, rows, spacer, signal } = deps;
  let isRiding = true;
  /** What becomes of the next thing that is said, and what was said last before it. */
  let awaited: { readonly how: "anchor" | "show"; readonly after: string | undefined } | undefined;
  let anchorKey: string | undefined;
  let lastTop = 0;
  let lastHeight = 0;
  /** How far the reader went up since the last step down: while an answer grows, small steps are undone in between. */
  let climbedPx = 0;
  /** What the reader looks at, and where it stands. */
  let seen: Seen | undefined;
  let seenFrom = 0;
  /** A fold that was just opened or closed: it stays under the pointer. */
  let folded: Seen | undefined;
  /** Room below that a closed fold has left, as long as the reader stays there. */
  let foldRoom = 0;

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
    const below =
      row === null ? Infinity : rows.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
    foldRoom = Math.max(0, Math.min(foldRoom, -endGap()));
    const room = Math.max(foldRoom, scroll.clientHeight - below - 2 * ABOVE_PX, 0);
    spacer.style.setProperty("height", `${room}px`);
  };
  /**
   * Notes what the reader looks at. Something may have grown above it that the observer has not told yet: that is
   * made good first, or the new place would be taken for the right one. What the reader scrolled since is not growth.
   */
  const look = (): void => {
    if (!isRiding && folded === undefined && seen?.element.isConnected === true) {
      const grown = seen.element.getBoundingClientRect().top - seen.top + (scroll.scrollTop - seenFrom);
      if (Math.abs(grown) >= 1) setTop(scroll.scrollTop + grown);
    }
    lookAnew();
  };
  const lookAnew = (): void => {
    seen = placeOf(firstVisible(rows, scroll.getBoundingClientRect().top));
    seenFrom = scroll.scrollTop;
  };
  /** Puts it back to where it stood. */
  const hold = (was: Seen | undefined): void => {
    if (was?.element.isConnected !== true) return;
    const moved = was.element.getBoundingClientRect().top - was.top;
    if (Math.abs(moved) >= 1) setTop(scroll.scrollTop + moved);
  };
  const holdFold = (was: Seen): void => {
    isRiding = false;
    const moved = was.element.getBoundingClientRect().top - was.top;
    const room = scroll.scrollTop + moved - (scroll.scrollHeight - scroll.clientHeight);
    if (room > 0) {
      foldRoom = spacer.offsetHeight + room;
      spacer.style.setProperty("height", `${foldRoom}px`);
    }
    hold(was);
  };
  const toEnd = (): void => setTop(scroll.scrollHeight - spacer.offsetHeight - scroll.clientHeight);
  const tellNews = (): void => deps.onNews(!isRiding && (endGap() > ATTACH_PX || !deps.hasEnd()));

  /** Growth that no change of rows announced: a fold, a picture, a line of an answer. */
  const observer = new ResizeObserver(() => {
    if (folded?.element.isConnected === true) holdFold(folded);
    else {
      makeRoom();
      if (isRiding) toEnd();
      else hold(seen);
    }
    folded = undefined;
    lookAnew();
    tellNews();
    lastHeight = scroll.scrollHeight;
  });
  observer.observe(rows);
  observer.observe(scroll);
  signal.addEventListener("abort", () => observer.disconnect(), { once: true });

  rows.addEventListener(
    "click",
    ({ target }) => {
      folded = placeOf(target instanceof Element ? target.closest(FOLD) : null);
    },
    { signal, capture: true },
  );
  scroll.addEventListener(
    "scroll",
    () => {
      const top = scroll.scrollTop;
      const gap = endGap();
      // Only the reader decides: a change of the height alone is not a step.
      if (top < lastTop && scroll.scrollHeight >= lastHeight) climbedPx += lastTop - top;
      if (top > lastTop) climbedPx = 0;
      if (climbedPx > DETACH_PX) isRiding = false;
      else if (top > lastTop && gap < ATTACH_PX && deps.hasEnd())
        isRiding ||= anchorKey === undefined || gap >= -PAST_END_PX;
      if (top < NEAR_PX && top < lastTop) deps.onTop();
      if (gap < NEAR_PX && top > lastTop && !deps.hasEnd()) deps.onBottom();
      lastTop = top;
      lastHeight = scroll.scrollHeight;
      look();
      tellNews();
    },
    { signal, passive: true },
  );

  return {
    begin(key, words = "") {
      const row = key === undefined ? null : rowOf(key);
      isRiding = row === null;
      climbedPx = 0;
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
      lookAnew();
      tellNews();
    },
    anchorNext(after) {
      awaited = { how: "anchor", after };
    },
    showNext(after) {
      awaited = { how: "show", after };
    },
    beforeChange() {
      if (!isRiding) look();
    },
    afterChange() {
      const said = [...rows.querySelectorAll<HTMLElement>(".row-said")].at(-1);
      const key = said?.dataset["key"];
      if (awaited !== undefined && said !== undefined && key !== undefined && key !== awaited.after) {
        const isAnchor = awaited.how === "anchor";
        awaited = undefined;
        climbedPx = 0;
        isRiding = !isAnchor && (isRiding || isBelow(said, scroll));
        if (isAnchor) {
          anchorKey = key;
          makeRoom();
          setTop(said.offsetTop - ABOVE_PX);
          lookAnew();
          return;
        }
      }
      makeRoom();
      if (isRiding) toEnd();
      else hold(seen);
      lookAnew();
      tellNews();
    },
    toEnd() {
      isRiding = true;
      climbedPx = 0;
      toEnd();
      tellNews();
    },
    isRiding: () => isRiding,
    seenKey: () => seen?.element.closest<HTMLElement>("[data-key]")?.dataset["key"],
    isShort: () => rows.offsetHeight < scroll.clientHeight,
  };
}

interface Seen {
  readonly element: Element;
  readonly top: number;
}

const FOLD = "[aria-expanded], summary";

function placeOf(element: Element | null | undefined): Seen | undefined {
  return element === null || element === undefined
    ? undefined
    : { element, top: element.getBoundingClientRect().top };
}

/** Its lower edge is out of sight, or just about. */
function isBelow(row: Element, scroll: Element): boolean {
  return row.getBoundingClientRect().bottom + ABOVE_PX > scroll.getBoundingClientRect().bottom;
}

/** The first row that reaches below the top; of a long answer, its first such block. */
function firstVisible(rows: Element, top: number): Element | undefined {
  const row = firstBelow(rows.children, top);
  const parts = row?.querySelector(":scope > markdown-text > .prose")?.children;
  const part = parts === undefined ? undefined : firstBelow(parts, top);
  return part === undefined ? row : (firstBelow(part.children, top) ?? part);
}

/** They stand one below the other, so half of them need not be looked at, and again half of the rest. */
function firstBelow(elements: HTMLCollection, top: number): Element | undefined {
  let [low, high] = [0, elements.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((elements[middle]?.getBoundingClientRect().bottom ?? 0) > top) high = middle;
    else low = middle + 1;
  }
  return elements[low];
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
