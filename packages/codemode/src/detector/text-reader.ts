import { createMarkdownCode } from "./markdown-code.ts";
import type { Reader } from "./reader.ts";
import { createOpeningTag, type TagReader } from "./tag-reader.ts";

/** Reads Markdown up to an opening tag outside of code; goes on with the same line once the script has ended. */
export function createTextReader(): Reader {
  const markdown = createMarkdownCode();
  let opening: TagReader | undefined;
  return {
    next(unit) {
      const openingSo = opening?.next(unit);
      if (openingSo === "partial") return "held";
      opening = undefined;
      if (openingSo === "whole") {
        markdown.resume();
        return "tag";
      }
      const isOutside = markdown.next(unit);
      if (unit !== "<" || !isOutside) return "plain";
      opening = createOpeningTag();
      return "begins";
    },
  };
}
