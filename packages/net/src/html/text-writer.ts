/** Joins words as a reader sees them: white space collapsed, blocks on separate lines. */
export interface TextWriter {
  /** Words of the page; their white space only separates words. */
  words(text: string): void;
  /** Written unchanged, except for white space at the end. */
  verbatim(text: string): void;
  /** A mark before the next text; not written if no text comes before it is closed. */
  openMark(text: string): void;
  closeMark(text: string): void;
  /** The next text begins on a new line, after `lines - 1` empty ones. */
  breakLine(lines: 1 | 2): void;
  /** Lines begin with `prefix` from here on; the next one with `first`. */
  indent(prefix: string, first?: string): void;
  /** True turns new lines into spaces, as in a table cell. */
  setInline(isInline: boolean): void;
  /** Characters so far. */
  readonly length: number;
  text(): string;
}

export function createTextWriter(): TextWriter {
  const pieces: string[] = [];
  const marks: string[] = [];
  let length = 0;
  let due = 0;
  let isSpaceDue = false;
  let isInlineNow = false;
  let prefix = "";
  let next: string | undefined;
  /** New lines at the end of verbatim text: the text that follows decides whether they are needed. */
  let held = "";

  const put = (text: string): void => {
    pieces.push(text);
    length += text.length;
  };
  /** Writes what was deferred until now. */
  const begin = (): void => {
    if (due > 0 || length === 0) {
      if (length > 0) put("\n".repeat(due));
      put(next ?? prefix);
      next = undefined;
    } else if (isSpaceDue && pieces.at(-1)?.endsWith(" ") !== true) put(" ");
    due = 0;
    isSpaceDue = false;
    for (const mark of marks.splice(0)) put(mark);
  };

  return {
    words(text) {
      const trimmed = text.trim();
      if (/^\s/.test(text)) isSpaceDue = true;
      if (trimmed === "") return;
      held = "";
      begin();
      put(trimmed.replaceAll(/\s+/g, " "));
      isSpaceDue = /\s$/.test(text);
    },
    verbatim(text) {
      const whole = held + text;
      const written = whole.trimEnd();
      held = whole.slice(written.length);
      if (written === "") return;
      if (/^\s/.test(written)) isSpaceDue = false;
      begin();
      put(written.replaceAll("\n", isInlineNow ? " " : `\n${prefix}`));
    },
    openMark: (text) => void marks.push(text),
    closeMark(text) {
      if (marks.pop() === undefined) put(text);
    },
    breakLine(lines) {
      held = "";
      if (isInlineNow) isSpaceDue = true;
      // If an item has only its mark so far, its first words go beside it.
      else if (next === undefined) due = Math.max(due, lines);
    },
    indent(rest, first) {
      prefix = rest;
      next = first;
    },
    setInline: (isInline) => void (isInlineNow = isInline),
    get length() {
      return length;
    },
    text: () => pieces.join("").trimEnd(),
  };
}
