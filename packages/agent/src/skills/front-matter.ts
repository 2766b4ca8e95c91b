import { readScalar } from "./yaml-scalar.ts";

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
