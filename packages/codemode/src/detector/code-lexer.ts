/** What a unit of JavaScript is inside; everything inside a template counts as literal. */
export type CodeContext = "code" | "line_comment" | "literal";

/**
 * Tells code from strings, templates, comments and regular expressions, unit by unit. Guesses from the text
 * before a slash whether it divides.
 */
export interface CodeLexer {
  next(unit: string): CodeContext;
  /** A closing tag that began inside a literal has just ended. */
  noteTag(): void;
  /** True if such a tag is in a literal that broke off or has not ended. */
  hasDoubt(): boolean;
}

/** Literals by the sign that ends them, where one does; `[` is a class in a regular expression. */
type Mode = "code" | "'" | '"' | "`" | "//" | "/*" | "/" | "[";

/** After one of these, a slash begins a regular expression. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "await case delete do else extends in instanceof new of return throw typeof void yield".split(" "),
);
const LONGEST_KEYWORD = 10;
/** Deeper ones are not followed, so the result is unreliable. */
const MAX_TEMPLATE_DEPTH = 100;

export function createCodeLexer(): CodeLexer {
  let mode: Mode = "code";
  /** Open braces in each `${…}` that surrounds this place, the innermost last. */
  const braces: number[] = [];
  /** A backslash, or a carriage return behind one, whose line feed belongs to it. */
  let escape: "" | "\\" | "\r" = "";
  /** The previous unit, if it may begin a sign of two. */
  let first = "";
  let word = "";
  let isAfterValue = false;
  let isTagInside = false;
  let isBroken = false;

  const isOutermost = (): boolean => braces.length === 0;

  const next = (unit: string): CodeContext => {
    if (mode === "code") readCode(unit);
    else readLiteral(unit, mode);
    return contextOf();
  };

  const contextOf = (): CodeContext => {
    if (!isOutermost()) return "literal";
    if (mode === "code") return "code";
    return mode === "//" ? "line_comment" : "literal";
  };

  const enter = (literal: Mode): void => {
    mode = literal;
    first = "";
  };

  const leave = (): void => {
    mode = "code";
    first = "";
    if (isOutermost()) isTagInside = false;
  };

  /** A line has ended where it must not: something is not really a literal, or is unfinished. */
  const breakOff = (): void => {
    isBroken ||= isTagInside;
    leave();
  };

  const readCode = (unit: string): void => {
    if (first === "/") {
      first = "";
      if (unit === "/") return enter("//");
      if (unit === "*") return enter("/*");
      if (!isAfterValue) {
        enter("/");
        return readLiteral(unit, "/");
      }
      isAfterValue = false;
    }
    if (isWordUnit(unit)) {
      if (word.length <= LONGEST_KEYWORD) word += unit;
      return;
    }
    if (word !== "") isAfterValue = !KEYWORDS.has(word);
    word = "";
    if (isSpace(unit)) return;
    if (unit === "/") first = unit;
    else if (unit === "'" || unit === '"' || unit === "`") enter(unit);
    else if (unit === "{" || unit === "}") readBrace(unit);
    else isAfterValue = unit === ")" || unit === "]";
  };

  const readBrace = (unit: "{" | "}"): void => {
    isAfterValue = false;
    const open = braces.at(-1);
    if (open === undefined) return;
    if (unit === "}" && open === 0) {
      braces.pop();
      enter("`");
    } else braces[braces.length - 1] = open + (unit === "{" ? 1 : -1);
  };

  const readLiteral = (unit: string, literal: Exclude<Mode, "code">): void => {
    if (literal === "//" || literal === "/*") return readComment(unit, literal);
    if (escape === "\\") {
      escape = unit === "\r" ? "\r" : "";
      first = "";
      return;
    }
    const isContinued = escape === "\r" && unit === "\n";
    escape = "";
    if (isContinued) return;
    if (unit === "\\") escape = unit;
    else if (literal === "`") readTemplate(unit);
    else if (unit === "\n" || unit === "\r") breakOff();
    else if (literal === "[") mode = unit === "]" ? "/" : literal;
    else if (literal === "/" && unit === "[") mode = unit;
    else if (unit === literal) {
      leave();
      isAfterValue = true;
    }
  };

  const readTemplate = (unit: string): void => {
    if (unit === "{" && first === "$") {
      isBroken ||= braces.length >= MAX_TEMPLATE_DEPTH;
      if (braces.length < MAX_TEMPLATE_DEPTH) braces.push(0);
      mode = "code";
      first = "";
      isAfterValue = false;
    } else if (unit === "`") {
      leave();
      isAfterValue = true;
    } else first = unit;
  };

  const readComment = (unit: string, comment: "//" | "/*"): void => {
    if (comment === "//") {
      if (unit === "\n" || unit === "\r") leave();
    } else if (unit === "/" && first === "*") leave();
    else first = unit;
  };

  return {
    next,
    noteTag() {
      if (contextOf() === "literal") isTagInside = true;
      else isBroken = true;
    },
    hasDoubt: () => isBroken || isTagInside,
  };
}

function isWordUnit(unit: string): boolean {
  return /[\w$]/.test(unit) || (unit >= "\u0080" && !isSpace(unit));
}

function isSpace(unit: string): boolean {
  return /\s/.test(unit);
}
