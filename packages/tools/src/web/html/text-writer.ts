/** Puts words together as a reader sees them: white space collapsed, blocks on lines of their own. */
export interface TextWriter {
  /** Words of the page; their white space says only where words end. */
  words(text: string): void;
  /** As it stands, such as preformatted text. */
  verbatim(text: string): void;
  /** A mark that sticks to what comes next. */
  mark(text: string): void;
  /** What comes next begins on a new line, after `lines - 1` empty ones. */
  breakLine(lines: 1 | 2): void;
  /** What new lines begin with from here on; `first` only the very next. */
  indent(prefix: string, first?: string): void;
  /** Characters so far: tells whether anything was written. */
  readonly length: number;
  text(): string;
}

export function createTextWriter(): TextWriter {
  const pieces: string[] = [];
  let length = 0;
  let due = 0;
  let isSpaceDue = false;
  let prefix = "";
  let next: string | undefined;

  const put = (text: string): void => {
    pieces.push(text);
    length += text.length;
  };
  const begin = (): void => {
    if (due > 0 || length === 0) {
      if (length > 0) put("\n".repeat(due));
      put(next ?? prefix);
      next = undefined;
    } else if (isSpaceDue) put(" ");
    due = 0;
    isSpaceDue = false;
  };

  return {
    words(text) {
      const trimmed = text.trim();
      if (/^\s/.test(text)) isSpaceDue = true;
      if (trimmed === "") return;
      begin();
      put(trimmed.replaceAll(/\s+/g, " "));
      isSpaceDue = /\s$/.test(text);
    },
    verbatim(text) {
      if (text === "") return;
      begin();
      put(prefix === "" ? text : text.replaceAll("\n", `\n${prefix}`));
    },
    mark(text) {
      begin();
      put(text);
    },
    breakLine(lines) {
      due = Math.max(due, lines);
    },
    indent(rest, first) {
      prefix = rest;
      next = first;
    },
    get length() {
      return length;
    },
    text: () => pieces.join("").trimEnd(),
  };
}
