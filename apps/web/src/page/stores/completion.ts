/** What somebody is typing that can be completed, and where it stands in the text. */
export interface Typed {
  readonly kind: "command" | "file" | "model" | "effort";
  readonly query: string;
  /** What a suggestion replaces. */
  readonly from: number;
  readonly to: number;
}

/**
 * A command is the first word of a message, after a slash; `/etc/hosts` is none. A file follows an `@` that begins a
 * word, so an address of mail is none.
 */
export function readTyped(text: string, caret: number): Typed | undefined {
  const before = text.slice(0, caret);
  const [, command] = /^\/([^\s/]*)$/.exec(before) ?? [];
  if (command !== undefined) return { kind: "command", query: command, from: 0, to: caret };
  const [, chosen, value] = /^\/(model|effort) ([^\n]*)$/.exec(before) ?? [];
  if (chosen !== undefined && value !== undefined)
    return { kind: chosen as "model" | "effort", query: value, from: 0, to: caret };
  const [, file] = /(?:^|[\s(“"'])@([^\s@]*)$/.exec(before) ?? [];
  return file === undefined
    ? undefined
    : { kind: "file", query: file, from: caret - file.length - 1, to: caret };
}

/** As it stands in a message: between quotes if it has blanks. */
export function filePath(path: string): string {
  return /\s/.test(path) ? `"${path}" ` : `${path} `;
}

/** Those that fit, the best first: their name begins so, a word of it does, it has the letters, or has them in order. */
export function fitting<T>(
  options: readonly T[],
  query: string,
  textOf: (option: T) => { readonly name: string; readonly about: string },
): readonly T[] {
  const wanted = query.trim().toLowerCase();
  const rankOf = (option: T): number => {
    const { name, about } = textOf(option);
    const lower = name.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    if (lower.split(/[^\p{L}\p{N}]+/u).some((word) => word.startsWith(wanted))) return 1;
    if (lower.includes(wanted)) return 2;
    if (hasInOrder(lower, wanted)) return 3;
    return about
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .some((word) => word.startsWith(wanted))
      ? 4
      : 5;
  };
  return options
    .map((option) => ({ option, rank: rankOf(option) }))
    .filter(({ rank }) => rank < 5)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
}

function hasInOrder(text: string, letters: string): boolean {
  let at = -1;
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return false;
  }
  return true;
}

/** What `/name …` means: something that was done, a prompt of the user's own, or a message. */
export type Obeyed =
  | { readonly kind: "message" }
  | { readonly kind: "done" }
  | { readonly kind: "prompt"; readonly text: string }
  | { readonly kind: "wrong"; readonly message: string };

/** The first word of a message after a slash, and what follows it; `/etc/hosts` is none. */
export function readCommand(text: string): { readonly name: string; readonly args: string } | undefined {
  const [, name, args = ""] = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/i.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name: name.toLowerCase(), args: args.trim() };
}
