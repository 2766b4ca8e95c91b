/** What went wrong inside SQLite, by its primary result code. */
export type SqliteFailure = "busy" | "refused" | "full" | "damaged" | "constraint" | "other";

const KINDS: ReadonlyMap<number, SqliteFailure> = new Map([
  [5, "busy"],
  [6, "busy"],
  [10, "refused"],
  [11, "damaged"],
  [13, "full"],
  [19, "constraint"],
  [26, "damaged"],
]);

/** The failure behind an error thrown by `node:sqlite`; undefined when it came from elsewhere. */
export function sqliteFailureOf(error: unknown): SqliteFailure | undefined {
  if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") {
    return undefined;
  }
  return KINDS.get(error.errcode & 0xff) ?? "other";
}
