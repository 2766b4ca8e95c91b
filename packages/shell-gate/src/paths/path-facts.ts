/** What is known of one name in a directory, without following it. */
export interface Entry {
  readonly kind: "file" | "directory" | "link" | "other";
  /** How many names the file has: more than one, and another may lie elsewhere. */
  readonly names: number;
}

/**
 * What the gate asks of a file system. Paths are absolute, with `/` between names. Nothing here throws, writes, or
 * follows the last name of a path; the answers hold for now, so a verdict does too.
 */
export interface PathFacts {
  /** Nothing where there is no such name. */
  readonly look: (path: string) => Entry | undefined;
  /** Where a link points, as it is written. */
  readonly target: (path: string) => string | undefined;
  /** Names in a directory, at most `limit` and one more; nothing where it cannot be listed. */
  readonly list: (path: string, limit: number) => readonly string[] | undefined;
  /** A file's text; nothing where it is longer than `limit` bytes or cannot be read. */
  readonly text: (path: string, limit: number) => string | undefined;
  /** The same as bytes. */
  readonly bytes: (path: string, limit: number) => Uint8Array | undefined;
}
