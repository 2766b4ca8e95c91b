export type FrontMatter =
  | { readonly kind: "ok"; readonly fields: Readonly<Record<string, string>>; readonly body: string }
  | { readonly kind: "bad"; readonly why: string };

/**
 * Reads the YAML between the first line `---` and the next one, as far as the `wanted` top-level fields need it:
 * their values are text, in any of YAML's five styles, and come trimmed. Other fields are skipped, whatever their
 * values are. It is more lenient than YAML in one point that many files get wrong: a plain value may contain `: `.
 * Expects line ends to be `\n`.
 */
export function parseFrontMatter(text: string, wanted: readonly string[]): FrontMatter {
  const bad = (why: string): FrontMatter => ({ kind: "bad", why });
  const lines = text.split("\n");
  if (lines[0]?.trimEnd() !== "---") return bad("it does not begin with a line `---`");
  const end = lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) return bad("its front matter has no end: a line `---` is missing");

  const fields: Record<string, string> = {};
  const seen = new Set<string>();
  let at = 1;
  while (at < end) {
    const line = lines[at] ?? "";
    const place = `line ${at + 1}`;
    if (isBlankOrComment(line)) {
      at += 1;
      continue;
    }
    const [, key = "", rest = ""] = FIELD.exec(line) ?? [];
    if (key === "") return bad(`${place} of its front matter is not \`name: value\``);
    if (seen.has(key)) return bad(`${place}: \`${key}\` is there twice`);
    seen.add(key);
    const next = endOfField(lines, at, end, rest);
    if (wanted.includes(key)) {
      const value = readScalar([rest, ...lines.slice(at + 1, next)]);
      if (value.kind === "bad") return bad(`${place}: \`${key}\` ${value.why}`);
      fields[key] = value.text.trim();
    }
    at = next;
  }
  return {
    kind: "ok",
    fields,
    body: lines
      .slice(end + 1)
      .join("\n")
      .trim(),
  };
}

const FIELD = /^([A-Za-z_][\w-]*)[ ]*:(?:[ \t]+(.*))?$/;

function isBlankOrComment(line: string): boolean {
  return /^\s*(?:#.*)?$/.test(line);
}

/** A field goes on for as long as lines are indented, or it is a list, or its brackets are open. */
function endOfField(lines: readonly string[], at: number, end: number, rest: string): number {
  const isFlow = /^[[{]/.test(rest);
  let open = isFlow ? openBrackets(rest) : 0;
  let next = at + 1;
  for (; next < end; next++) {
    const line = lines[next] ?? "";
    const goesOn = open > 0 || /^(?:[ \t]|-[ \t]|-$|$)/.test(line) || line.startsWith("#");
    if (!goesOn) break;
    if (isFlow) open += openBrackets(line);
  }
  return next;
}

function openBrackets(line: string): number {
  const bare = line.replaceAll(/"(?:\\.|[^"\\])*"|'[^']*'/g, "");
  return (bare.match(/[[{]/g)?.length ?? 0) - (bare.match(/[\]}]/g)?.length ?? 0);
}

type Scalar =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "bad"; readonly why: string };

/**
 * A YAML value that must be text: what follows `key:` on its line, and the lines after it that belong to it.
 * Spaces at either end are not kept. Numbers, dates and the like are the text they are written as.
 */
function readScalar([first = "", ...more]: readonly string[]): Scalar {
  if (more.some((line) => line.startsWith("\t")))
    return notRead("is indented by tabs, which YAML does not take");
  const style = first.trimStart()[0] ?? "";
  if (style === "|" || style === ">") return readBlock(first.trim(), more);
  // A value may begin on the line after its key.
  const all = [first, ...more];
  const begin = all.findIndex((line) => !/^\s*(?:#.*)?$/.test(line));
  const lines = begin === -1 ? [] : all.slice(begin);
  const start = lines[0]?.trimStart() ?? "";
  if (start.startsWith('"')) return readDouble(lines);
  if (start.startsWith("'")) return readSingle(lines);
  if (/^(?:[[\]{}&*!%@`,]|[-?](?:\s|$))/.test(start)) return notRead("is not text; put it in quotes");
  return { kind: "text", text: foldEnds(withoutComments(lines).join("\n")) };
}

function notRead(why: string): Scalar {
  return { kind: "bad", why };
}

/** In a plain value, ` #` begins a comment; a line that has one is its last. */
function withoutComments(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (const line of lines) {
    const comment = /(?:^|\s)#/.exec(line);
    kept.push(comment === null ? line : line.slice(0, comment.index));
    if (comment !== null) break;
  }
  return kept;
}

/** One line end is a space, each further one a line end; the spaces around them go. */
function foldEnds(text: string): string {
  return text.replaceAll(/[ \t\n]+/g, (blank) =>
    blank.includes("\n") ? "\n".repeat(countEnds(blank) - 1) || " " : blank,
  );
}

function countEnds(text: string): number {
  return text.split("\n").length - 1;
}

function readSingle(lines: readonly string[]): Scalar {
  const match = /^\s*'((?:[^']|'')*)'(.*)$/s.exec(lines.join("\n"));
  if (match === null) return notRead("has no closing quote");
  if (!isNothing(match[2] ?? "")) return notRead("goes on after its closing quote");
  return { kind: "text", text: foldEnds(match[1] ?? "").replaceAll("''", "'") };
}

function readDouble(lines: readonly string[]): Scalar {
  const match = /^\s*"((?:[^"\\]|\\[^])*)"(.*)$/s.exec(lines.join("\n"));
  if (match === null) return notRead("has no closing quote");
  if (!isNothing(match[2] ?? "")) return notRead("goes on after its closing quote");
  let problem: string | undefined;
  const text = (match[1] ?? "").replaceAll(ESCAPE_OR_BLANK, (found, hex: string | undefined) => {
    if (!found.startsWith("\\")) return foldEnds(found);
    // A backslash at the end of a line takes that end away.
    if (found.startsWith("\\\n")) return "\n".repeat(countEnds(found) - 1);
    const plain = hex === undefined ? ESCAPES[found.slice(1)] : characterOf(hex.slice(1));
    if (plain === undefined) problem = `has an escape that YAML does not know: ${found}`;
    return plain ?? "";
  });
  return problem === undefined ? { kind: "text", text } : notRead(problem);
}

function isNothing(rest: string): boolean {
  return rest.split("\n").every((line) => /^\s*(?:#.*)?$/.test(line));
}

const ESCAPE_OR_BLANK = /\\(?:(x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})|\n[ \t\n]*|[^])|[ \t\n]+/g;
const ESCAPES: Readonly<Record<string, string>> = {
  "0": "\0",
  a: "\x07",
  b: "\b",
  t: "\t",
  "\t": "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  e: "\x1b",
  " ": " ",
  '"': '"',
  "/": "/",
  "\\": "\\",
  N: "\x85",
  _: "\xa0",
  L: "\u2028",
  P: "\u2029",
};

function characterOf(hex: string): string | undefined {
  const code = Number.parseInt(hex, 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : undefined;
}

/** `|` keeps line ends, `>` folds those between lines of the same indentation. */
function readBlock(header: string, all: readonly string[]): Scalar {
  const match = /^([|>])(?:([1-9])[+-]?|[+-]([1-9])?)?\s*(?:\s#.*)?$/.exec(header);
  if (match === null) return notRead(`begins with ${header[0]}; put it in quotes if that is meant as text`);
  // A comment that is not indented comes after it.
  const lines = all.slice(0, all.findLastIndex((line) => line !== "" && !line.startsWith("#")) + 1);
  const given = match[2] ?? match[3];
  const firstFull = lines.find((line) => /[^ ]/.test(line)) ?? "";
  const indent = given === undefined ? firstFull.search(/[^ ]|$/) : Number(given);
  const wrong = lines.some((line) => /[^ ]/.test(line) && line.search(/[^ ]/) < indent);
  if (wrong || (indent === 0 && firstFull !== ""))
    return notRead("has lines that are indented less than its first");
  const inner = lines.map((line) => line.slice(indent));
  return { kind: "text", text: match[1] === "|" ? inner.join("\n") : foldBlock(inner) };
}

function foldBlock(lines: readonly string[]): string {
  const isMore = (line: string): boolean => /^[ \t]/.test(line);
  let text = "";
  let empties = 0;
  let before: string | undefined;
  for (const line of lines) {
    if (line === "") {
      empties += 1;
      continue;
    }
    if (before === undefined) text = "\n".repeat(empties) + line;
    else if (isMore(line) || isMore(before)) text += "\n".repeat(empties + 1) + line;
    else text += (empties === 0 ? " " : "\n".repeat(empties)) + line;
    empties = 0;
    before = line;
  }
  return text;
}
