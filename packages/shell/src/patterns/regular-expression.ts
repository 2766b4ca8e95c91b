import { readBracket } from "./bracket.ts";

/** An extended regular expression of POSIX as a RegExp; undefined if it is none. */
export function compileExtended(text: string, letters: "exact" | "any-case"): RegExp | undefined {
  let source = "";
  let i = 0;
  let atStart = true;
  while (i < text.length) {
    const char = text.charAt(i);
    const wasStart = atStart;
    atStart = false;
    if (char === "[") {
      const bracket = readBracket(text, i, "plain");
      if (bracket === undefined) return undefined;
      source += bracket.source;
      i = bracket.end;
      continue;
    }
    if (char === "\\") {
      if (i + 1 >= text.length) return undefined;
      source += escaped(text.charAt(i + 1));
      i += 2;
      continue;
    }
    if (char === "{") {
      const bounds = /^\{\d*(?:,\d*)?\}/.exec(text.slice(i));
      if (wasStart) return undefined;
      source += bounds === null ? "\\{" : bounds[0].replace("{,", "{0,");
      i += bounds === null ? 1 : bounds[0].length;
      continue;
    }
    if ((char === "*" || char === "+" || char === "?") && wasStart) return undefined;
    if (char === "}" || char === "]" || char === "/" || char === "-")
      source += `\\${char === "-" ? "x2d" : char}`;
    else if (char === "(" && text.charAt(i + 1) === ")") {
      source += "()";
      i += 1;
    } else source += char;
    if (char === "(" || char === "|") atStart = true;
    i += 1;
  }
  try {
    return new RegExp(source, letters === "any-case" ? "sui" : "su");
  } catch {
    return undefined;
  }
}

function escaped(char: string): string {
  if ("wWsSbB".includes(char)) return `\\${char}`;
  if (char === "<") return "\\b(?=\\w)";
  if (char === ">") return "\\b(?<=\\w)";
  if ("^$.*+?()[]{}|\\/".includes(char)) return `\\${char}`;
  return char === "-" ? "\\x2d" : char;
}
