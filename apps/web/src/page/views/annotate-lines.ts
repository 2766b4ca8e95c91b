import type { Call } from "../stores/transcript-rows.ts";

export interface ProgramLine {
  readonly line: number;
  readonly text: string;
  readonly calls: readonly Call[];
}

/**
 * The lines of a program, each with the calls that it made. A tool that several lines name could have been called from
 * any of them: such calls are among `others`, and so are those of tools that no line names.
 */
export function annotateLines(
  code: string,
  calls: readonly Call[],
): { readonly lines: readonly ProgramLine[]; readonly others: readonly Call[] } {
  const texts = readable(code).replace(/\n+$/, "").split("\n");
  const lineOf = new Map<string, number | undefined>();
  for (const path of new Set(calls.map(({ toolPath }) => toolPath))) {
    const named = texts.flatMap((text, at) => (names(text, path) ? [at] : []));
    lineOf.set(path, named.length === 1 ? named[0] : undefined);
  }
  return {
    lines: texts.map((text, at) => ({
      line: at + 1,
      text,
      calls: calls.filter(({ toolPath }) => lineOf.get(toolPath) === at),
    })),
    others: calls.filter(({ toolPath }) => lineOf.get(toolPath) === undefined),
  };
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

function names(text: string, path: string): boolean {
  const at = text.indexOf(`tools.${path}`);
  return at >= 0 && !/[\w.]/.test(text[at + `tools.${path}`.length] ?? "");
}
