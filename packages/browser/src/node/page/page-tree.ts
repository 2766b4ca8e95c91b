import { elementName } from "../../shown-text.ts";
import type { BrowserLimits } from "../browser-limits.ts";
import type { OnPage } from "./page-calls.ts";

/** The page as a tree, as it was last looked at. */
export interface PageTree {
  /** Looks again. Refs are of the last one that was taken; elements that stay keep theirs. */
  take(on: OnPage): Promise<string>;
  /** The element's name in the tree; its ref when it has none. */
  nameOf(ref: string): string;
}

export function createPageTree({ actionMs }: Pick<BrowserLimits, "actionMs">): PageTree {
  let tree = "";
  return {
    async take({ page, signal }) {
      tree = await page.ariaSnapshot({ mode: "ai", timeout: actionMs, signal });
      return tree;
    },
    nameOf(ref) {
      const line = tree.split("\n").find((candidate) => candidate.includes(`[ref=${ref}]`));
      return line === undefined ? ref : elementName(line);
    },
  };
}
