/** Wherever they stand: awk reads `1system` as a number and a call. */
const POWERFUL = /system|getline|ENVIRON|PROCINFO|ARGV|ARGC|ARGIND|SYMTAB|FUNCTAB|@/;

/**
 * Why an awk program may do more than print; nothing where it cannot. Where a `/` could begin a pattern or be a
 * division, quotes may not be what they seem, so the whole text is searched.
 */
export function findAwkEffect(program: string): string | undefined {
  const code = program.includes("/") ? program : maskStrings(program);
  if (code === undefined) return "a text or comment that is not followed";
  const word = POWERFUL.exec(code)?.[0];
  if (word !== undefined) return `\`${word}\``;
  if (program.includes("/")) {
    const sign = /[|>]/.exec(code)?.[0];
    return sign === undefined ? undefined : `\`${sign}\` beside a \`/\``;
  }
  if (/\|/.test(code.replaceAll("||", ""))) return "`|`, which runs a command";
  return writesFile(code) ? "`>`, which writes a file" : undefined;
}

function maskStrings(program: string): string | undefined {
  const masked = program.replaceAll(/"(?:[^"\\\n]|\\[^\n])*"/g, " ");
  return /["#\\]/.test(masked) ? undefined : masked;
}

/** A `>` compares in a pattern and within parentheses; elsewhere it redirects. */
function writesFile(code: string): boolean {
  let braces = 0;
  let parentheses = 0;
  for (const char of code) {
    if (char === "{") braces += 1;
    else if (char === "}") braces -= 1;
    else if (char === "(") parentheses += 1;
    else if (char === ")") parentheses -= 1;
    else if (char === ">" && braces > 0 && parentheses <= 0) return true;
  }
  return false;
}
