import { createLogSessionService } from "@deputy/agent/sessions";
import { createIdSource } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createLogOutbox } from "./log-outbox.ts";
import { createNoticesReader } from "./notices-reader.ts";

test("[J91] reads notices from the log, newest first, at most fifty, without erased ones", async () => {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const outbox = createLogOutbox({
    log,
    sessions: createLogSessionService({ log, ids }),
    channels: [],
    firstSession: { key: "terminal--default", agentId: "main", channel: "terminal" },
    redact: (text) => text,
    clock,
    onBug: (error) => expect.fail(String(error)),
    signal: new AbortController().signal,
  });
  const notices = createNoticesReader(log);
  expect(await notices.newest()).toEqual([]);
  const tell = (n: number) => outbox.tell({ key: `k${n}`, to: "last", from: "the task", text: `No ${n}` });
  for (const n of [1, 2, 3]) await tell(n);
  const [newest] = await notices.newest();
  expect(newest).toMatchObject({ from: "the task", text: "No 3", at: expect.stringMatching(/Z$/) });
  const second = (await Array.fromAsync(log.readAll())).find(({ event }) =>
    JSON.stringify(event.data).includes("No 2"),
  );
  await log.erase(second?.event.id ?? expect.fail("nothing told"), "ada");
  expect((await notices.newest()).map(({ text }) => text)).toEqual(["No 3", "No 1"]);
  for (let n = 4; n < 60; n++) await tell(n);
  expect((await notices.newest()).map(({ text }) => text)).toEqual(
    Array.from({ length: 50 }, (_, n) => `No ${59 - n}`),
  );
});
