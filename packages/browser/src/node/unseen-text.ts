import type { CDPSession } from "playwright-core";
import { SHORTEST_PIECE, type UnseenText } from "../shown-text.ts";

/** Facts about a page's main document, taken from a world that its scripts cannot reach. */
export interface PageFacts {
  readonly elements: number;
  readonly chars: number;
  readonly height: number;
  /** Texts that a person does not see anywhere on the page. */
  readonly unseen: readonly UnseenText[];
}

/**
 * Inspects the page's main document. Rejects when the page has ended; a busy page does not answer. Limits: frames are
 * not inspected, `transparent` is the only colour that counts, and the number of different pieces is limited.
 */
export async function readPageFacts(session: CDPSession): Promise<PageFacts> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "deputy",
  });
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression: `(${lookAtPage.toString()})(${SHORTEST_PIECE})`,
    contextId: executionContextId,
    returnByValue: true,
  });
  if (exceptionDetails !== undefined) throw new Error("The page could not be looked at");
  return result.value as PageFacts;
}

/** Runs in the page: it can use nothing from outside itself. */
function lookAtPage(shortest: number): PageFacts {
  const MOST_ELEMENTS = 100_000;
  const MOST_PIECES = 500;
  // No text of the page, or a name for it.
  const NO_TEXT = /^(?:script|style|noscript|template|title|desc)$/i;
  const root = document.documentElement;
  const elements = document.getElementsByTagName("*").length;
  const chars = root.textContent.length;
  const height = root.scrollHeight;
  if (elements > MOST_ELEMENTS) return { elements, chars, height, unseen: [] };

  const plain = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
  const isNothing = (style: CSSStyleDeclaration): boolean =>
    style.display === "none" ||
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

  const short = new Map<string, number>();
  const long = new Map<string, number>();
  let seen = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = plain(node.nodeValue ?? "");
    const parent = node.parentElement;
    if (text === "" || parent === null || NO_TEXT.test(parent.tagName)) continue;
    range.selectNodeContents(node);
    // Options and what stands in a field have no place of their own.
    const box = (parent.closest("select, textarea") ?? range).getBoundingClientRect();
    const isHidden =
      isUnseen(parent) ||
      getComputedStyle(parent).visibility !== "visible" ||
      isOutside(box, window) ||
      box.width * box.height === 0;
    const pieces = text.length < shortest ? short : long;
    if (!isHidden) seen += ` ${text}`;
    else if (pieces.has(text) || pieces.size < MOST_PIECES) pieces.set(text, (pieces.get(text) ?? 0) + 1);
  }
  const unseen = [...long, ...short]
    .filter(([text]) => !seen.includes(text))
    .map(([text, times]) => ({ text, times }));
  return { elements, chars, height, unseen };
}
