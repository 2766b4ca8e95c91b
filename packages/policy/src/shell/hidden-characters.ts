/** Control, format, private and unassigned characters, lone surrogates, and every space that is none to a shell. */
const HIDDEN = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zs}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0\u2800]/u;

/** The first character that people cannot see, or that a shell and a reader take differently; named by its code. */
export function findHiddenCharacter(command: string): string | undefined {
  const found = HIDDEN.exec(command)?.[0];
  if (found === undefined) return undefined;
  return `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
