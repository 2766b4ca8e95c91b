/**
 * Follows Markdown closely enough to know what is code in it: fenced blocks, also in quotes and lists, and
 * spans in backticks. If only later text could tell, it says code: showing a script that was meant to run
 * does less harm than the opposite.
 */
export interface MarkdownCode {
  /** Takes the next unit and says whether it is outside of code. */
  next(unit: string): boolean;
  /** Something else was here that began outside of code; its line continues. */
  resume(): void;
}

interface Fence {
  readonly sign: string;
  readonly length: number;
  readonly column: number;
  readonly quotes: number;
}

/**
 * The place of the next unit in its line: before its first word; in its text; after an opening fence; and
 * inside a fenced block in the code, in a possible closing fence, or after that.
 */
type Place = "lead" | "text" | "info" | "content" | "closing" | "closed";

const SHORTEST_FENCE = 3;
/** How much further a closing fence may be indented than its opening. */
const CLOSING_SLACK = 3;
/** With more indentation, a line continues the paragraph before it. */
const DEEPEST_BLOCK = 3;
const TAB_STOP = 4;
const BYTE_ORDER_MARK = "\uFEFF";

export function createMarkdownCode(): MarkdownCode {
  let place: Place = "lead";
  let column = 0;
  let quotes = 0;
  /** What may become the marker of a list's item. */
  let marker: "none" | "bullet" | "digits" | "number" = "none";
  /** Backticks or tildes that may be followed by more of them. */
  let run = { sign: "", length: 0 };
  let fence: Fence | undefined;
  /** The length of the backticks that opened a span; 0 outside. */
  let span = 0;
  /** Only one word has followed the span's backticks: at the end of the line they are a fence. */
  let isLikeFence = false;
  let isEscaped = false;
  let before = "";

  const next = (unit: string): boolean => {
    const isLineFeedOfPair = unit === "\n" && before === "\r";
    before = unit;
    if (isLineFeedOfPair) return false;
    if (unit !== "\n" && unit !== "\r") return fence === undefined ? inParagraph(unit) : inFence(unit, fence);
    endRun();
    endLine();
    return false;
  };

  const endLine = (): void => {
    const isClosed = place === "closed" || (place === "closing" && run.length >= (fence?.length ?? 0));
    const isLeft = place === "lead" && quotes < (fence?.quotes ?? 0);
    if (isClosed || isLeft) fence = undefined;
    if (span >= SHORTEST_FENCE && isLikeFence) fence = { sign: "`", length: span, column, quotes };
    if (place === "lead" || fence !== undefined) span = 0;
    place = "lead";
    column = 0;
    quotes = 0;
    marker = "none";
    run = { sign: "", length: 0 };
    isEscaped = false;
  };

  const inParagraph = (unit: string): boolean => {
    if (unit === run.sign) {
      run.length += 1;
      return false;
    }
    endRun();
    if (fence !== undefined) return inFence(unit, fence);
    if (place === "lead" && inLead(unit)) return unit === "<";
    place = "text";
    return inText(unit);
  };

  /** True if the text of the line has not begun yet, or begins with a tag that ends an open span. */
  const inLead = (unit: string): boolean => {
    if (isBlank(unit)) {
      // A number may be the next word of a continuing span; a bullet never is.
      if (marker === "digits" || (marker === "number" && span > 0)) return false;
      if (marker === "bullet") span = 0;
      marker = "none";
      column += columnsOf(unit, column);
      return true;
    }
    if (unit === BYTE_ORDER_MARK && column === 0) return true;
    if (marker === "bullet" || marker === "number") return false;
    if (marker === "digits") {
      if (unit === "." || unit === ")") marker = "number";
      else if (!isDigit(unit)) return false;
    } else if (unit === "`" || unit === "~") run = { sign: unit, length: 1 };
    else if (unit === ">") quotes += 1;
    else if (unit === "-" || unit === "+" || unit === "*") marker = "bullet";
    else if (isDigit(unit)) marker = "digits";
    else if (unit === "<" && (span === 0 || column <= DEEPEST_BLOCK)) place = "text";
    else return false;
    column += 1;
    return true;
  };

  const inText = (unit: string): boolean => {
    if (isEscaped) {
      isEscaped = false;
      return false;
    }
    if (unit === "`") run = { sign: unit, length: 1 };
    else if (span > 0) isLikeFence &&= !isBlank(unit);
    else if (unit === "\\") isEscaped = true;
    else return true;
    return false;
  };

  /** Decides what a run is, now that its length is known. */
  const endRun = (): void => {
    if (run.length === 0 || fence !== undefined) return;
    const { sign, length } = run;
    run = { sign: "", length: 0 };
    if (place === "lead" && length >= SHORTEST_FENCE) {
      fence = { sign, length, column: column - 1, quotes };
      place = "info";
      return;
    }
    place = "text";
    if (sign === "`") turnSpan(length);
  };

  const turnSpan = (length: number): void => {
    if (span === 0) {
      span = length;
      isLikeFence = true;
    } else if (span === length) span = 0;
    else isLikeFence = false;
  };

  const inFence = (unit: string, open: Fence): boolean => {
    if (place === "lead") return inFenceLead(unit, open);
    if (place === "info" && unit === "`" && open.sign === "`") {
      // A backtick after them shows that the backticks began a span and not a block.
      fence = undefined;
      place = "text";
      turnSpan(open.length);
      run = { sign: unit, length: 1 };
    } else if (place === "closing" && unit === open.sign) run.length += 1;
    else if (place === "closing" || place === "closed")
      place = isBlank(unit) && run.length >= open.length ? "closed" : "content";
    return false;
  };

  const inFenceLead = (unit: string, open: Fence): boolean => {
    if (quotes < open.quotes && unit === ">") quotes += 1;
    else if (quotes < open.quotes && !isBlank(unit)) {
      // A line outside of the quote ends the block too.
      fence = undefined;
      return inParagraph(unit);
    } else if (unit === open.sign && column <= open.column + CLOSING_SLACK) {
      place = "closing";
      run = { sign: unit, length: 1 };
    } else if (!isBlank(unit)) place = "content";
    column += columnsOf(unit, column);
    return false;
  };

  return {
    next,
    resume() {
      span = 0;
    },
  };
}

function columnsOf(unit: string, column: number): number {
  return unit === "\t" ? TAB_STOP - (column % TAB_STOP) : 1;
}

function isBlank(unit: string): boolean {
  return unit === " " || unit === "\t";
}

function isDigit(unit: string): boolean {
  return unit >= "0" && unit <= "9";
}
