/** Follows what may become a tag, from the unit after its `<`. */
export interface TagReader {
  /** `whole` at the tag's `>`; after `none` it was not a tag, and `unit` is not part of it. */
  next(unit: string): "partial" | "whole" | "none";
}

/** Anything longer is not a tag, which limits what is held back. */
export const MAX_TAG_CHARS = 512;

/**
 * `<script …>` on one line. Quotes hide a `>`. A tag that closes itself (`/>`) does not count, since it has
 * no content; nor does one with a character that starts something else in Markdown.
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

/** `</script>`, with or without space before its `>`. */
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

/** Returns `ended` for every unit after the name, which may be in any case. */
function createNameReader(name: string): (unit: string) => "partial" | "none" | "ended" {
  let read = 0;
  return (unit) => {
    if (read === name.length) return "ended";
    return unit.toLowerCase() === name[read++] ? "partial" : "none";
  };
}
