import type { Clock, IdSource } from "@deputy/kit";
import type { EventLogError } from "@deputy/protocol";
import { openDailyWriter } from "@deputy/store/daily/writer";
import { openSqliteStore, type SqliteStore } from "@deputy/store/sqlite";

/** The home's log, open for writing, with the daily files that follow it. Throws what `openSqliteStore` throws. */
export async function openStore(options: {
  readonly directory: string;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly warn: (text: string) => void;
  /** Called once when the log has failed for good. Must not throw. */
  readonly onFailed?: ((error: EventLogError) => void) | undefined;
}): Promise<SqliteStore> {
  const { directory, clock, warn } = options;
  const store = await openSqliteStore(options);
  const daily = openDailyWriter({ home: directory, events: store.events, clock, warn });
  const close = async (): Promise<void> => {
    await daily.close();
    await store.close();
  };
  return { ...store, close, [Symbol.asyncDispose]: close };
}
