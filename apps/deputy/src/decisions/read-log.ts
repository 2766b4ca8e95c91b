import { openSqliteReader, type SqliteReader, StoreError } from "@deputy/store/sqlite";
import { openHome } from "../home.ts";
import type { Invocation } from "../invocation.ts";

/**
 * Reads the home's log, also while another process writes to it. Gives `nothing` for a home without a log. Rejects as
 * `work` does.
 */
export async function readLog<T>(
  { homeDirectory, warn }: Invocation,
  nothing: T,
  work: (log: SqliteReader) => Promise<T>,
): Promise<T> {
  const log = openLogIfAny(openHome(homeDirectory, warn).directory);
  if (log === undefined) return nothing;
  await using opened = log;
  return await work(opened);
}

/** Undefined if nothing was ever kept. */
export function openLogIfAny(directory: string): SqliteReader | undefined {
  try {
    return openSqliteReader({ directory });
  } catch (error) {
    if (error instanceof StoreError && error.code === "no_database") return undefined;
    throw error;
  }
}
