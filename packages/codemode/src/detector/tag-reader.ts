/** Follows what may become a tag, from the unit after its `<`. */
export interface TagReader {
  /** `whole` with the tag's `>`; after `none` it was no tag, and `unit` is not part of it. */
  next(unit: string): "partial" | "whole" | "none";
}

/** A longer tag is none: it bounds what is held back. */
export const MAX_TAG_CHARS = 512;

/**
 * `<script …>` on one line. Quotes hide a `>`. One that closes itself (`/>`) is no tag, since nothing
 * would stand in it; nor is one with a sign in it that starts something else in Markdown.
 */
export function createOpeningTag(): TagReader {
  const name = createNameReader("script");
  let chars = 1;
  let quote = "";
  let before = "";
  return {
    next(unit) {
      if (++chars > MAX_TAG_CHARS || /[\r\n<`\\]/.test(unit)) return "none";
      const named = name(unit);
      if (named !== "ended") return named;
      if (before === "" && !/[\s/>]/.test(unit)) return "none";
      if (quote !== "") quote = unit === quote ? "" : quote;
      else if (unit === ">") return before === "/" ? "none" : "whole";
      else if (unit === '"' || unit === "'") quote = unit;
      before = unit;
      return "partial";
    },
  };
}

/** `</script>`, with space before its `>` or without. */
export function createClosingTag(): TagReader {
  const name = createNameReader("/script");
  let chars = 1;
  return {
    next(unit) {
      if (++chars > MAX_TAG_CHARS) return "none";
      const named = name(unit);
      if (named !== "ended") return named;
      if (unit === ">") return "whole";
      return /[ \t\r\n]/.test(unit) ? "partial" : "none";
    },
  };
}

/** Says `ended` of every unit after the name, which may be in any case. */
function createNameReader(name: string): (unit: string) => "partial" | "none" | "ended" {
  let read = 0;
  return (unit) => {
    if (read === name.length) return "ended";
    return unit.toLowerCase() === name[read++] ? "partial" : "none";
  };
}
