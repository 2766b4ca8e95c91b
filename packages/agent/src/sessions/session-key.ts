/** Where messages come from, as their channel identifies it: one person or a group, and perhaps a thread in it. */
export type SessionOrigin =
  | { readonly channel: string; readonly sender: string }
  | { readonly channel: string; readonly group: string; readonly thread?: string };

/** The channel of everything that came in from a file. */
export const IMPORTED_CHANNEL = "imported";

const SEPARATOR = "--";

/**
 * The session key of a place: `terminal--default`, `telegram--123456`, `slack--C123--1700000000.0001`. Safe
 * as a file's name, and no two places share one. Throws for a name that is empty: a bug of the channel's.
 */
export function sessionKeyOf(origin: SessionOrigin): string {
  return [origin.channel, ...namesOf(origin)].map(escapeName).join(SEPARATOR);
}

function namesOf(origin: SessionOrigin): string[] {
  if ("sender" in origin) return [origin.sender];
  return origin.thread === undefined ? [origin.group] : [origin.group, origin.thread];
}

const SAFE = /^[A-Za-z0-9._-]$/;

/** A hyphen that could be taken for a part of the separator is escaped like everything unsafe. */
function escapeName(name: string): string {
  if (name === "") throw new Error("A session key has no empty parts");
  const characters = Array.from(name);
  return characters
    .map((character, at) => {
      const isLone = character !== "-" || (isPlain(characters[at - 1]) && isPlain(characters[at + 1]));
      return SAFE.test(character) && isLone ? character : escape(character);
    })
    .join("");
}

function isPlain(neighbour: string | undefined): boolean {
  return neighbour !== undefined && neighbour !== "-";
}

function escape(character: string): string {
  const bytes = Array.from(new TextEncoder().encode(character));
  return bytes.map((byte) => `~${byte.toString(16).padStart(2, "0")}`).join("");
}
