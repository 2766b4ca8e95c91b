import { createIdSource } from "@deputy/kit";
import type { CanonicalEvent } from "@deputy/protocol";
import { createFakeClock, createMemoryEventLog } from "@deputy/testing";
import { expect, test } from "vitest";
import { createStreamView } from "../history/turn-view.ts";
import { absentMs, workedMs } from "./turn-time.ts";

test("[A34] what passes between an owner's last sign and the next claim is no time of the turn's, however often", async () => {
  const clock = createFakeClock();
  const ids = createIdSource({ clock });
  const log = createMemoryEventLog({ clock, ids });
  const stream = ids.next("session");
  const turn = { turnId: ids.next("turn") };
  const note = (code: string) => ({ type: "error" as const, ...turn, data: { code, message: "" } });
  await log.append(stream, [{ type: "turn.started", ...turn, data: { agentId: "main", model: "a/b" } }]);
  await clock.advance(2_000);
  await log.append(stream, [note("works"), { type: "turn.suspended", ...turn, data: { epoch: 1 } }]);
  await clock.advance(3_600_000);
  await log.append(stream, [
    { type: "turn.claimed", ...turn, data: { owner: "2", epoch: 2, lost: false } },
    note("works"),
  ]);
  await clock.advance(3_000);
  await log.append(stream, [note("works")]);
  await clock.advance(60_000);
  await log.append(stream, [{ type: "turn.claimed", ...turn, data: { owner: "3", epoch: 3, lost: true } }]);
  await clock.advance(1_000);
  const events: readonly CanonicalEvent[] = await createStreamView(log, stream).current();
  const away = absentMs(events, turn);
  expect(away).toBe(3_600_000 + 60_000);
  expect(workedMs(events, turn, { ms: clock.now(), absentMs: away })).toBe(6_000);
});
