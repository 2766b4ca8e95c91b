import type { Call } from "../stores/transcript-rows.ts";

export interface ProgramLine {
  readonly line: number;
  readonly text: string;
  readonly calls: readonly Call[];
}

/**
 * The lines of a program, each with the calls that it made. Where several lines name a tool and all of them run once, in
 * order, so do its calls. Otherwise a call could have come from any of them: then it is among `others`, as are calls of
 * tools that no line names.
 */
export function annotateLines(
  code: string,
  calls: readonly Call[],
): { readonly lines: readonly ProgramLine[]; readonly others: readonly Call[] } {
  const texts = readable(code).replace(/\n+$/, "").split("\n");
  const once = linesThatRunOnce(texts);
  const lineOf = new Map<Call, number>();
  for (const [path, own] of Map.groupBy(calls, ({ calledAs, toolPath }) => calledAs ?? toolPath)) {
    const naming = texts.flatMap((text, at) => Array.from({ length: timesNamed(text, path) }, () => at));
    const isOne = new Set(naming).size === 1;
    const isInOrder = naming.every((at) => once.has(at)) && own.length <= naming.length;
    for (const [index, call] of own.entries()) {
      const at = isOne ? naming[0] : isInOrder ? naming[index] : undefined;
      if (at !== undefined) lineOf.set(call, at);
    }
  }
  return {
    lines: texts.map((text, at) => ({
      line: at + 1,
      text,
      calls: calls.filter((call) => lineOf.get(call) === at),
    })),
    others: calls.filter((call) => !lineOf.has(call)),
  };
}

/** What may run more than once, later, or not at all. */
const BRANCHES = /\b(?:for|while|do|if|else|switch|case|function|catch|class|async)\b|=>|\?|&&|\|\|/;

/** Lines outside of all braces in which nothing branches. */
function linesThatRunOnce(texts: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let depth = 0;
  for (const [at, text] of texts.entries()) {
    if (depth === 0 && /^\S/.test(text) && !BRANCHES.test(text)) found.add(at);
    for (const sign of text) depth += "{([".includes(sign) ? 1 : "})]".includes(sign) ? -1 : 0;
  }
  return found;
}

/** A finding stands at its line already: the excerpt with its marker, meant for a terminal, would repeat the line. */
export function withoutExcerpt(message: string): string {
  return message
    .split("\n")
    .filter((line) => !/^\s*\d*\s*\|/.test(line))
    .join("\n");
}

const GENERATED = /^return await tools((?:\["[^"\\]+"\])+)\(JSON\.parse\(("(?:[^"\\]|\\.)*")\)\);?\s*$/;

/** A program that Deputy made of a single call, as somebody would have written it. */
function readable(code: string): string {
  const [, path, input] = GENERATED.exec(code) ?? [];
  if (path === undefined || input === undefined) return code;
  return `return await tools${path.replaceAll(/\["([^"]+)"\]/g, ".$1")}(${String(JSON.parse(input))});`;
}

function timesNamed(text: string, path: string): number {
  return text
    .split(`tools.${path}`)
    .slice(1)
    .filter((rest) => !/^[\w.]/.test(rest)).length;
}
