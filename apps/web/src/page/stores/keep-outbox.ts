import { createStore, del, get, set, values } from "idb-keyval";
import type { Outgoing, OutboxKeeper } from "./outbox.ts";

/**
 * In this browser's database, each message by itself, so that tabs do not write over each other's. Where there is none,
 * what was not sent is lost with the page.
 */
export function keepOutbox(): OutboxKeeper {
  const store = createStore("deputy-outbox-2", "messages");
  const tried = (work: Promise<void>): Promise<void> => work.catch(() => undefined);
  return {
    async load() {
      try {
        return (await values<Outgoing>(store)).toSorted((a, b) => a.at.localeCompare(b.at));
      } catch {
        return [];
      }
    },
    async has(key) {
      try {
        return (await get(key, store)) !== undefined;
      } catch {
        return true;
      }
    },
    keep: (message) => tried(set(message.key, message, store)),
    drop: (key) => tried(del(key, store)),
  };
}
