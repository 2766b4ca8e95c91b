import { expect, test } from "vitest";
import type { Connection } from "../wire/connection.ts";
import { openActivityFeed } from "./activity.ts";

/** A log of so many events, read as the daemon gives it: the newest first, a page at a time. */
function logOf(events: number): Pick<Connection, "call"> {
  const call = async (_method: string, asked: { readonly limit: number; readonly cursor?: string }) => {
    const from = Number(asked.cursor ?? events);
    const to = Math.max(0, from - asked.limit);
    const page = Array.from({ length: from - to }, (_, at) => ({ id: `evt_${from - at}` }));
    return { events: page, ...(to > 0 && { cursor: String(to) }) };
  };
  return { call: call as never };
}

test("[W23] however far back the log is read, the page keeps some hundred lines of it", async () => {
  const feed = openActivityFeed(logOf(200_000) as Connection, {}, new AbortController().signal);
  await feed.more();
  expect(feed.events.value.map(({ id }) => id).slice(0, 2)).toEqual(["evt_200000", "evt_199999"]);
  expect(feed.state.value).toMatchObject({ hasNewer: false, hasMore: true, isLoading: false });
  for (let page = 1; page < 100; page += 1) await feed.more();
  expect(feed.events.value).toHaveLength(400);
  expect(feed.events.value.at(-1)?.id).toBe("evt_195001");
  expect(feed.state.value).toMatchObject({ hasNewer: true, hasMore: true });
});
