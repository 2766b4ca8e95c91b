import { createStore, del, get, set, values } from "idb-keyval";
import type { Outgoing, OutboxKeeper } from "./outbox.ts";

/** A database that has not answered by then may never do: nothing that was said waits for it longer. */
const LONGEST_MS = 3_000;

/**
 * In this browser's database, each message by itself, so that tabs do not write over each other's. Where there is none,
 * or it is full, what was not sent is lost with the page; until then it is sent all the same.
 */
export function keepOutbox(): OutboxKeeper {
  const store = createStore("deputy-outbox-2", "messages");
  /** Those that the database did not take: that they are not in it does not mean that another tab has sent them. */
  const unkept = new Set<string>();
  return {
    async load() {
      const kept = await inTime(values<Outgoing>(store), []);
      return kept.toSorted((a, b) => a.at.localeCompare(b.at));
    },
    async has(key) {
      return unkept.has(key) || (await inTime(isThere(key), true));
    },
    async keep(message) {
      const { key } = message;
      const isKept = await inTime(
        set(key, message, store).then(() => true),
        false,
      );
      if (isKept) unkept.delete(key);
      else unkept.add(key);
    },
    async drop(key) {
      unkept.delete(key);
      await inTime(del(key, store), undefined);
    },
  };

  async function isThere(key: string): Promise<boolean> {
    return (await get(key, store)) !== undefined;
  }
}

/** What came of it; `otherwise` if that is an error, or nothing for long. */
function inTime<T>(work: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), LONGEST_MS);
    work.then(resolve, () => resolve(otherwise)).finally(() => clearTimeout(timer));
  });
}
