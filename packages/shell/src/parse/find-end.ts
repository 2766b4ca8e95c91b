import { parse } from "unbash";

/**
 * Where the `)` of a command substitution is. `from` is behind `$(`, `<(` or `>(`; for `inline` it is at `${`.
 * Only a parser knows it, because of `case`, comments and here-documents in it.
 */
export function findSubstitutionEnd(text: string, from: number, kind: "paren" | "inline" = "paren"): number {
  const opened = kind === "paren" ? `: $(${text.slice(from)}` : `: ${text.slice(from)}`;
  const shift = kind === "paren" ? from - 4 : from - 2;
  let command = parse(opened).commands[0]?.command;
  // What follows, still of the text around, may make the command the first of a list or a pipeline.
  while (command?.type === "AndOr" || command?.type === "Pipeline") command = command.commands[0];
  const word = command?.type === "Command" ? command.suffix[0] : undefined;
  const part = word?.type === "Word" ? word.parts?.[0] : undefined;
  if (part === undefined) return text.length;
  return Math.min(part.end + shift - 1, text.length);
}

/** Where `))` is, from behind `$((` or `((`; undefined if the text is a substitution that begins with a subshell. */
export function findArithmeticEnd(text: string, from: number): number | undefined {
  let depth = 0;
  let i = from;
  while (i < text.length) {
    const char = text.charAt(i);
    if (char === "\\") i += 1;
    else if (char === "'") {
      const end = text.indexOf(char, i + 1);
      if (end !== -1) i = end;
    } else if (char === "(") depth += 1;
    else if (char === ")") {
      if (depth === 0) return text.charAt(i + 1) === ")" ? i : undefined;
      depth -= 1;
    }
    i += 1;
  }
  return undefined;
}

/** Where the `]` is that closes what was opened before `from`. */
export function findBracketEnd(text: string, from: number): number {
  let depth = 0;
  let i = from;
  while (i < text.length) {
    const char = text.charAt(i);
    if (char === "\\") i += 1;
    else if (char === "'" || char === '"') {
      const end = text.indexOf(char, i + 1);
      if (end !== -1) i = end;
    } else if (char === "$" && text.charAt(i + 1) === "(") i = findSubstitutionEnd(text, i + 2);
    else if (char === "[") depth += 1;
    else if (char === "]") {
      if (depth === 0) return i;
      depth -= 1;
    }
    i += 1;
  }
  return text.length;
}
