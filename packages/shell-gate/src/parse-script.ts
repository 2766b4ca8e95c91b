import { forEachChild, parse, type ParsedScript, type SyntaxNode } from "unbash";

/** A script of which every character is accounted for, or why it is not. */
export type Parsed =
  | { readonly kind: "script"; readonly script: ParsedScript }
  | { readonly kind: "unclear"; readonly why: string };

const KEYWORDS = new Set(
  "! time -p -- if then elif else fi for in do done while until case esac { } [[ ]]".split(" "),
);
/** These hold all of their own text. */
const WHOLE = new Set([
  "Word",
  "Assignment",
  "Redirect",
  "HereString",
  "HereDocBody",
  "HereDocDelimiter",
  "ArithmeticCommand",
  "TestUnary",
  "TestBinary",
]);

/**
 * The parser mends what it can, and may pass over what it cannot read; so what it did not account for is looked
 * for, and makes the whole unclear. Never throws.
 */
export function parseScript(source: string): Parsed {
  const script = parse(source);
  const error = script.errors?.[0];
  if (error !== undefined) return { kind: "unclear", why: error.message };
  const left = findUnread(script, source);
  return left === undefined
    ? { kind: "script", script }
    : { kind: "unclear", why: `\`${left}\` is out of place` };
}

function findUnread(script: ParsedScript, source: string): string | undefined {
  const covered: { readonly from: number; readonly to: number }[] = [];
  const counts = { open: 0, close: 0, test: 0 };
  let unclosed: string | undefined;
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Subshell") {
      counts.open += 1;
      counts.close += 1;
    }
    if (node.type === "CaseItem") counts.close += 1;
    if (node.type === "HereDoc") {
      if (node.closing === undefined) unclosed = "<<";
      else covered.push({ from: node.closing.pos, to: node.closing.end });
      covered.push({
        from: node.pos,
        to: node.pos + (/^\d*<<-?/.exec(source.slice(node.pos))?.[0].length ?? 0),
      });
    }
    if (WHOLE.has(node.type)) covered.push({ from: node.pos, to: node.end });
    else forEachChild(node, visit);
  };
  visit(script);
  if (unclosed !== undefined) return unclosed;

  covered.sort((a, b) => a.from - b.from);
  let rest = "";
  let at = 0;
  for (const { from, to } of covered) {
    if (from > at) rest += `${source.slice(at, from)} `;
    else rest += " ";
    at = Math.max(at, to);
  }
  rest += source.slice(at);
  const tokens = rest
    .replaceAll("\\\n", "  ")
    .replaceAll(/(?<![^\s;&|()])#[^\n]*/g, "")
    .replaceAll(/[()]/g, " $& ")
    .split(/[\s;&|]+/)
    .filter((token) => token !== "");
  const stray = tokens.find((token) => token !== "(" && token !== ")" && !KEYWORDS.has(token));
  if (stray !== undefined) return stray;
  if (tokens.filter((token) => token === "(").length > counts.open) return "(";
  return tokens.filter((token) => token === ")").length > counts.close ? ")" : undefined;
}
