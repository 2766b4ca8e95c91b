import { createIdSource } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createSentMessages } from "./sent-messages.ts";

test("[G94] a message that is sent again is found, and what was looked at once is not read again", async () => {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const session = ids.next("session");
  await log.append(session, [
    { type: "session.started", data: { agentId: "main", key: "k", channel: "test" } },
  ]);
  let read = 0;
  const counting = {
    head: log.head,
    async *read(...args: Parameters<typeof log.read>) {
      for await (const event of log.read(...args)) {
        read += 1;
        yield event;
      }
    },
  };
  const send = (text: string, messageKey: string) => async () => {
    const turnId = ids.next("turn");
    const data = {
      text,
      attachments: [],
      channel: "test",
      sender: "ada",
      trust: "user" as const,
      messageKey,
    };
    const [stored] = await log.append(session, [{ type: "user.message", turnId, data }]);
    return { runId: turnId, seq: stored?.seq ?? 0 };
  };
  const sent = createSentMessages(counting);
  const first = await sent.once(session, "key 1", send("One", "key 1"), "lately");
  const filler = { type: "session.updated", data: { by: "owner", title: "Other" } } as const;
  await log.append(
    session,
    Array.from({ length: 300 }, () => filler),
  );
  expect(await sent.once(session, "key 1", expect.unreachable, "lately")).toEqual(first);
  read = 0;
  const second = await sent.once(session, "key 2", send("Two", "key 2"), "lately");
  expect(await sent.once(session, "key 1", expect.unreachable, "lately")).toEqual(first);
  expect(await sent.once(session, "key 2", expect.unreachable, "lately")).toEqual(second);
  expect(read).toBeLessThanOrEqual(2);
  // Very much has happened since: then only whoever says that it was sent finds it, and so does another process.
  await log.append(
    session,
    Array.from({ length: 500 }, () => filler),
  );
  expect(await sent.once(session, "key 2", expect.unreachable, "everywhere")).toEqual(second);
  const third = await sent.once(session, "key 1", send("One", "key 1"), "lately");
  expect(third).not.toEqual(first);
  expect(await createSentMessages(log).once(session, "key 1", expect.unreachable, "lately")).toEqual(third);
});
