import { elementName } from "../../shown-text.ts";
import type { BrowserLimits } from "../browser-limits.ts";
import type { OnPage } from "./page-calls.ts";

/** The page as a tree, as it was last looked at. */
export interface PageTree {
  /** Looks again. Refs are of the last one that was taken; elements that stay keep theirs. */
  take(on: OnPage): Promise<string>;
  /** The element's name in the tree; its ref when it has none. */
  nameOf(ref: string): string;
  /** The refs of all elements that are named so. */
  refsOf(element: string): readonly string[];
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
    refsOf(element) {
      const name = elementName(element);
      const lines = tree.split("\n").filter((line) => name !== "" && elementName(line) === name);
      return lines.flatMap((line) => /\[ref=(?<ref>[a-z\d]+)\]/.exec(line)?.groups?.["ref"] ?? []);
    },
  };
}
