import type { Styles } from "./styles.ts";

const SCRIPTS =
  /^(?:ts|tsx|js|jsx|mjs|cjs|typescript|javascript|java|c|cpp|cs|go|rust|rs|swift|kotlin|php|json|jsonc)$/i;
const HASHES = /^(?:sh|bash|zsh|shell|py|python|rb|ruby|yaml|yml|toml|r|make|dockerfile)$/i;

const STRING = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`(?:[^`\\\\]|\\\\.)*`";
const WORDS =
  "abstract|and|as|async|await|break|case|catch|class|const|continue|def|default|do|done|elif|else|enum|esac|export|extends|fi|final|finally|fn|for|from|func|function|if|impl|import|in|interface|is|lambda|let|match|mut|new|not|of|or|package|private|protected|pub|public|raise|return|satisfies|self|static|struct|switch|then|this|throw|try|type|typeof|use|var|void|while|with|yield|true|false|null|undefined|None|True|False";
const scripts = new RegExp(String.raw`(?<comment>//.*)|(?<string>${STRING})|(?<word>\b(?:${WORDS})\b)`, "g");
const hashes = new RegExp(
  String.raw`(?<comment>(?<![^\s;])#.*)|(?<string>${STRING})|(?<word>\b(?:${WORDS})\b)`,
  "g",
);

/**
 * One line of code with its comment, strings and words of the language set off, by the look of the line alone: what
 * began on an earlier line is not known. In a language that it does not know, all of it is code.
 */
export function highlightLine(line: string, language: string, styles: Styles): string {
  const look = SCRIPTS.test(language) ? scripts : HASHES.test(language) ? hashes : undefined;
  if (look === undefined) return styles.code(line);
  let shown = "";
  let at = 0;
  for (const match of line.matchAll(look)) {
    const { comment, string } = match.groups ?? {};
    const [text] = match;
    const style = comment !== undefined ? styles.soft : string !== undefined ? styles.good : styles.strong;
    shown += styles.code(line.slice(at, match.index)) + style(text);
    at = match.index + text.length;
  }
  return shown + styles.code(line.slice(at));
}
