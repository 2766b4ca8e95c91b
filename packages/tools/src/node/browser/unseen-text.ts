import type { CDPSession } from "playwright-core";

/** What a page's own document is like, seen from a world that its scripts cannot reach. */
export interface PageFacts {
  readonly elements: number;
  readonly chars: number;
  readonly height: number;
  /** Pieces of text that a person does not see, with single spaces; none is also to be seen somewhere. */
  readonly unseen: readonly string[];
}

/**
 * Looks at the page's main document. Rejects when the page has ended; a page that is busy does not answer. Limits:
 * frames are not looked into, and of colours only `transparent` counts.
 */
export async function readPageFacts(session: CDPSession): Promise<PageFacts> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "deputy",
  });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression: `(${lookAtPage.toString()})()`,
    contextId: executionContextId,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error("The page could not be looked at");
  return result.value as PageFacts;
}

/** Runs in the page: it can use nothing from outside itself. */
function lookAtPage(): PageFacts {
  const MOST_ELEMENTS = 100_000;
  const SHORTEST_PIECE = 8;
  const MOST_PIECES = 500;
  const root = document.documentElement;
  const elements = document.getElementsByTagName("*").length;
  const chars = root.textContent.length;
  const height = root.scrollHeight;
  if (elements > MOST_ELEMENTS) return { elements, chars, height, unseen: [] };

  const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
  const isNothing = (style: CSSStyleDeclaration): boolean =>
    Number(style.opacity) < 0.05 ||
    Number.parseFloat(style.fontSize) < 3 ||
    /^rgba\(.*, 0\)$/.test(style.color) ||
    style.clipPath.startsWith("inset(50%") ||
    style.clipPath.startsWith("inset(100%") ||
    /^rect\((?:0px|1px), (?:0px|1px), (?:0px|1px), (?:0px|1px)\)$/.test(style.clip);
  const isOutside = (box: DOMRect, view: Window): boolean =>
    box.right + view.scrollX <= 0 || box.bottom + view.scrollY <= 0;
  const known = new Map<Element, boolean>();
  const isUnseen = (element: Element | null): boolean => {
    if (element === null) return false;
    const before = known.get(element);
    if (before !== undefined) return before;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const isCut = style.overflow !== "visible" && (box.width < 2 || box.height < 2);
    const found = isNothing(style) || isCut || isUnseen(element.parentElement);
    known.set(element, found);
    return found;
  };

  const unseen = new Set<string>();
  let seen = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = plain(node.nodeValue ?? "");
    if (text === "" || node.parentElement === null) continue;
    if (/^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(node.parentElement.tagName)) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const isHidden = isUnseen(node.parentElement) || isOutside(box, window) || box.width * box.height === 0;
    if (!isHidden) seen += ` ${text}`;
    else if (text.length >= SHORTEST_PIECE && unseen.size < MOST_PIECES) unseen.add(text);
  }
  return { elements, chars, height, unseen: [...unseen].filter((text) => !seen.includes(text)) };
}
