import { findOpenTurnIn, readOpenTurns } from "@deputy/agent";
import { createIdSource } from "@deputy/kit";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { addNote } from "./add-note.ts";

async function setup() {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const session = ids.next("session");
  await log.append(session, [
    { type: "session.started", data: { agentId: "main", key: "k", channel: "cli" } },
  ]);
  const events = () => Array.fromAsync(log.read(session));
  return { log, ids, session, events };
}

const note = { text: "It has ended.", from: "process" };

test("[J90] a note is in the log, counts as nobody's message, and begins no turn", async () => {
  const { log, session, events } = await setup();
  await addNote(log, session, note);
  const last = (await events()).at(-1);
  expect(last).toMatchObject({
    type: "user.message",
    data: { trust: "untrusted", channel: "note", sender: "process" },
  });
  expect(last?.turnId).toBeUndefined();
  expect(JSON.stringify(last?.data)).toContain("Not written by the user");
  expect(await findOpenTurnIn(log, session)).toBeUndefined();
});

test("[J90] finds a waiting message after a crash even if a note came after it", async () => {
  const { log, ids, session } = await setup();
  const turnId = ids.next("turn");
  const data = { text: "hi", attachments: [], channel: "cli", sender: "owner", trust: "user" } as const;
  await log.append(session, [{ type: "user.message", turnId, data: { ...data, attachments: [] } }]);
  await addNote(log, session, note);
  await addNote(log, session, note);
  expect((await readOpenTurns(log, new Set())).map((turn) => turn.turnId)).toEqual([turnId]);
});

test("[J90] keeps notes that come together, and adds none to an id that is not a session", async () => {
  const { log, session, events, ids } = await setup();
  await Promise.all([1, 2, 3, 4, 5].map(() => addNote(log, session, note)));
  expect(await events()).toHaveLength(6);
  const other = ids.next("session");
  await addNote(log, other, note);
  await addNote(log, "key", note);
  expect(await Array.fromAsync(log.read(other))).toEqual([]);
});
