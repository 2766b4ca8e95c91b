import type * as unbash from "unbash";
import type { SyntaxProblem } from "./script.ts";

/** The first thing that bash would refuse, in its words. */
export function findSyntaxProblem(
  text: string,
  script: unbash.ParsedScript,
  lineOf: (pos: number) => number,
): SyntaxProblem | undefined {
  const errors = script.errors ?? [];
  const first = errors.reduce<unbash.ParseError | undefined>(
    (least, error) => (least === undefined || error.pos < least.pos ? error : least),
    undefined,
  );
  if (first === undefined) return undefined;
  const isAtEnd = first.pos >= text.trimEnd().length;
  const within =
    script.commands.find(({ pos, end }) => pos <= first.pos && first.pos <= end) ??
    (isAtEnd ? script.commands.at(-1) : undefined);
  const fromLine = lineOf(within?.pos ?? first.pos);
  // What stands before it in its line is not run either.
  const sameLine = script.commands.find(({ pos, end }) => lineOf(Math.max(pos, end - 1)) >= fromLine);
  const fromPos = Math.min(sameLine?.pos ?? first.pos, first.pos);
  const line = lineOf(Math.min(first.pos, text.length));
  return { fromPos, fromLine, line, lines: wordsFor(text, first) };
}

function wordsFor(text: string, { message, pos }: unbash.ParseError): readonly string[] {
  const quote = /unterminated (single|double|backtick|ansi)/i.exec(message);
  if (quote !== null) {
    const kind = (quote[1] ?? "").toLowerCase();
    const sign = kind === "double" ? '"' : kind === "backtick" ? "`" : "'";
    return [`unexpected EOF while looking for matching \`${sign}'`];
  }
  if (pos >= text.trimEnd().length) return ["syntax error: unexpected end of file"];
  const operator = /;;&|;;|;&|&&|&>>|&>|\|\||\|&|<<<|<<-|<<|<&|<>|<|>>|>&|>\||>|[;&|()]/;
  const token =
    new RegExp(`^(?:\\n|${operator.source}|[^\\s;&|<>()]+)`).exec(
      text.slice(pos).replace(/^[ \t]+/, ""),
    )?.[0] ?? "";
  const shown = token === "\n" ? "newline" : token;
  const start = text.lastIndexOf("\n", pos - 1) + 1;
  const stop = text.indexOf("\n", pos);
  const line = text.slice(start, stop === -1 ? undefined : stop);
  return [`syntax error near unexpected token \`${shown}'`, `\`${line}'`];
}
