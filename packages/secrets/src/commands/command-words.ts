/** A word of a command line, without the quotes around it, and where it stands. */
export interface Word {
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[^\s"'])+|["'][^\n]*/g;
const ENDS_COMMAND = /^(?:\||\|\||&&?|;|>>?|<)$/;

/** The words of one command, as a shell reads them but for expansions. */
export function wordsOfCommand(line: string): readonly Word[] {
  const words: Word[] = [];
  for (const { 0: raw, index } of line.matchAll(WORD)) {
    if (ENDS_COMMAND.test(raw)) break;
    const isQuoted = raw.length > 1 && /^(["']).*\1$/s.test(raw) && !/["']/.test(raw.slice(1, -1));
    const trimmed = isQuoted ? raw : raw.replace(/;$/, "");
    const edge = isQuoted ? 1 : 0;
    words.push({
      value: trimmed.slice(edge, trimmed.length - edge),
      start: index + edge,
      end: index + trimmed.length - edge,
    });
    if (!isQuoted && raw.endsWith(";")) break;
  }
  return words;
}

/** A row of the table: `htpasswd -b!n * * @`. */
export interface CommandRow {
  readonly program: string;
  readonly atLineStart: boolean;
  readonly parts: readonly string[];
}

export function readRow(row: string): CommandRow {
  const [program = "", ...parts] = row.split(" ");
  return { program: program.replace("^", ""), atLineStart: program.startsWith("^"), parts };
}

const MOST_SKIPPED = 4;

/**
 * Where the secret stands by this row; `open` if a longer line could have it. Words before a row's word are skipped,
 * options always; `*` is one word, `x*` one that begins so, `[a|b]` one that may be there, `-b!n` an option with b and
 * without n, and `*:@` a word whose part behind the sign is the secret.
 */
export function matchRow(
  row: CommandRow,
  words: readonly Word[],
  isOpen: boolean,
): Word | "open" | undefined {
  let at = 0;
  for (const part of row.parts) {
    if (/^-\w+!?\w*$/.test(part)) {
      if (!hasFlags(part, words)) return isOpen ? "open" : undefined;
      if (part.length > 4) at = Math.max(at, words.findIndex(({ value }) => value === part) + 1);
      continue;
    }
    if (part.startsWith("--")) {
      if (!words.some(({ value }) => value === part)) return isOpen ? "open" : undefined;
      continue;
    }
    while (isOption(words[at], row.program)) at++;
    const word = words[at];
    if (word === undefined) return isOpen ? "open" : undefined;
    const isLast = isOpen && at === words.length - 1;
    if (part.endsWith("@")) {
      if (isLast) return "open";
      const sign = part.slice(0, -1).replace("*", "");
      if (part === "@") return word;
      const from = word.value.indexOf(sign);
      const rest = part.startsWith("*")
        ? word.value.slice(from + 1).replace(/@[^@]*$/, "")
        : word.value.slice(1);
      if (from < 0 || (!part.startsWith("*") && from !== 0)) return undefined;
      return { value: rest, start: word.start + from + 1, end: word.start + from + 1 + rest.length };
    }
    if (part.startsWith("[")) {
      if (isLast) return "open";
      if (part.slice(1, -1).split("|").includes(word.value)) at++;
      continue;
    }
    if (part === "*") {
      at++;
      continue;
    }
    let skipped = 0;
    while (words[at] !== undefined && !isLike(words[at]?.value ?? "", part) && skipped++ < MOST_SKIPPED) at++;
    if (words[at] === undefined) return isOpen ? "open" : undefined;
    if (!isLike(words[at]?.value ?? "", part)) return undefined;
    at++;
  }
  return undefined;
}

function isOption(word: Word | undefined, program: string): boolean {
  if (word === undefined) return false;
  return /^--?[A-Za-z]/.test(word.value) || (program === "net" && /^\/\w/.test(word.value));
}

function hasFlags(part: string, words: readonly Word[]): boolean {
  const [wanted = "", unwanted = ""] = part.slice(1).split("!");
  if (wanted.length > 3) return words.some(({ value }) => value === part);
  const flags = words.map(({ value }) => (/^-\w+$/.test(value) ? value.slice(1) : "")).join("");
  return (
    wanted.split("").every((flag) => flags.includes(flag)) &&
    !unwanted.split("").some((flag) => flags.includes(flag))
  );
}

function isLike(value: string, part: string): boolean {
  const folded = value.toLowerCase();
  return part
    .split("|")
    .some((one) =>
      one.startsWith("*")
        ? folded.endsWith(one.slice(1))
        : one.endsWith("*")
          ? folded.startsWith(one.slice(0, -1))
          : folded === one,
    );
}
