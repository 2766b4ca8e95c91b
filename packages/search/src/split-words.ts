/** Lower-case words: `closeIssues`, `close_issues` and `close-issues` are `close`, `issues`; `HTTPServer2` is `http`, `server`, `2`. */
export function splitWords(text: string): readonly string[] {
  const spaced = text.replaceAll(WORD_BORDER, " ").replaceAll(APOSTROPHE, "").toLowerCase();
  return spaced.match(WORD) ?? [];
}

const WORD_BORDER =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/gu;
/** The endings of `customer's` and `don't`. */
const APOSTROPHE = /(?<=\p{L})['’](?:s\b)?/gu;
const WORD = /[\p{L}\p{N}]+/gu;
