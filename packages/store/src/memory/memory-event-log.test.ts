import { describeEventLog } from "@deputy/testing";
import { createMemoryEventLog } from "./memory-event-log.ts";

describeEventLog("memory", async ({ clock, ids, eventBytes }) => {
  const log = createMemoryEventLog({ clock, ids, limits: { eventBytes } });
  return { log, close: async () => log.close() };
});
