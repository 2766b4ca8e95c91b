import { KitError } from "../kit-error.ts";
import { compilePattern } from "./line-pattern.ts";

/**
 * Whether paths fit a glob: `*` and `?` within a name, `**` over folders, `[a-z]`, `{a,b}`. Throws
 * `pattern_invalid`.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const pattern = compilePattern(`^(?:${toPattern(glob)})$`);
  return (path) => pattern.test(path);
}

function toPattern(glob: string): string {
  let braces = 0;
  const pattern = glob.replace(TOKEN, (token) => {
    if (token === "**/") return "(?:.*/)?";
    if (token.startsWith("**")) return ".*";
    if (token === "*") return "[^/]*";
    if (token === "?") return "[^/]";
    if (token === "{") braces++;
    if (token === "{") return "(?:";
    if (token === "}" && braces > 0) {
      braces--;
      return ")";
    }
    if (token === "," && braces > 0) return "|";
    if (token.length > 2 && token.startsWith("["))
      return token.replace(/^\[!/, "[^").replaceAll("\\", "\\\\");
    return `\\${token.at(-1) ?? ""}`.replace(/^\\([\w,])$/, "$1");
  });
  if (braces > 0) throw new KitError("pattern_invalid", "The pattern cannot be used: a { is not closed");
  return pattern;
}

const TOKEN = /\*\*\/|\*+|\?|\[!?[^\]/]+\]|\\.|[{},]|[.+^$()|[\]\\]/g;
