import { createStore, get, set } from "idb-keyval";
import type { Outgoing, OutboxKeeper } from "./outbox.ts";

/** In this browser's database. Where there is none, what was not sent is lost with the page. */
export function keepOutbox(): OutboxKeeper {
  const store = createStore("deputy-outbox", "messages");
  return {
    async load() {
      try {
        return (await get<readonly Outgoing[]>("all", store)) ?? [];
      } catch {
        return [];
      }
    },
    save(messages) {
      set("all", messages, store).catch(() => undefined);
    },
  };
}
