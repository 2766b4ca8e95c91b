import type { LogItem } from "@deputy/protocol";
import { describe, expect, test } from "vitest";
import { all, iterate, message, type OpenLog, setUpLog, take, textOf, turnStarted } from "./log-harness.ts";

/** `seq` of an event, `offset:text` of a delta. */
function label(item: LogItem): number | string {
  return item.kind === "event" ? item.event.seq : `${item.delta.offset}:${item.delta.text}`;
}

export function describeSubscribing(open: OpenLog): void {
  describe("subscribing", () => {
    test("[L16] gives existing events, then new ones, without gap or repeat", async () => {
      const { log, session, signal } = await setUpLog(open);
      const writes: Promise<unknown>[] = [];
      for (let n = 0; n < 300; n++) writes.push(log.append(session, [message(`${n}`)]));
      const early = iterate(log.subscribe(session, {}, signal));
      const late = iterate(log.subscribe(session, { after: 250 }, signal));
      for (let n = 300; n < 700; n++) {
        if (n % 50 === 0) await Promise.all(writes);
        writes.push(log.append(session, [message(`${n}`)]));
      }
      const seqs = Array.from({ length: 700 }, (_, n) => n + 1);
      expect((await take(early, 700)).map(label)).toEqual(seqs);
      expect((await take(late, 450)).map(label)).toEqual(seqs.slice(250));
    });

    test("[L16] wakes up for each commit of its stream, even a new stream, and not for others", async () => {
      const { log, ids, session, signal } = await setUpLog(open);
      const items = iterate(log.subscribe(session, {}, signal));
      const first = items.next();
      await log.append(ids.next("session"), [message("elsewhere")]);
      await log.append(session, [message("here")]);
      expect((await first).value).toMatchObject({ kind: "event", event: { seq: 1 } });
      for (let n = 2; n < 10; n++) {
        const next = items.next();
        await log.append(session, [message("more")]);
        expect((await next).value).toMatchObject({ event: { seq: n } });
      }
    });

    test("[L16] a cursor beyond the head waits for what comes after it", async () => {
      const { log, session, signal } = await setUpLog(open);
      await log.append(session, [message("1")]);
      const items = iterate(log.subscribe(session, { after: 2 }, signal));
      const next = items.next();
      await log.append(session, [message("2")]);
      await log.append(session, [message("3"), message("4")]);
      expect([await next, await items.next()].map(({ value }) => label(value as LogItem))).toEqual([3, 4]);
    });

    test("[L17] ends without an error when the signal aborts or the log closes", async () => {
      const { log, session, signal, stop, close } = await setUpLog(open);
      await log.append(session, [message("1")]);
      const aborted = all(log.subscribe(session, {}, signal));
      const abortedAll = all(log.subscribeAll({}, signal));
      const never = new AbortController().signal;
      const closed = all(log.subscribe(session, {}, never));
      const closedAll = all(log.subscribeAll({}, never));
      await new Promise(setImmediate);
      stop();
      expect((await aborted).map(label)).toEqual([1]);
      expect(await abortedAll).toHaveLength(1);
      expect(await all(log.subscribe(session, {}, signal))).toEqual([]);
      await close();
      expect((await closed).map(label)).toEqual([1]);
      expect(await closedAll).toHaveLength(1);
    });

    test("[L18] follows all streams by position, or only indexed events of them", async () => {
      const { log, ids, session, signal } = await setUpLog(open);
      await log.append(session, [message("1")]);
      const everything = iterate(log.subscribeAll({}, signal));
      const turns = iterate(log.subscribeAll({ types: ["turn.started"] }, signal));
      expect((await take(everything, 1)).map(({ event }) => textOf(event))).toEqual(["1"]);
      const [nextEvent, nextTurn] = [everything.next(), turns.next()];
      const other = ids.next("session");
      await log.append(other, [message("2")]);
      await log.append(other, [turnStarted(ids.next("turn"))]);
      expect((await nextEvent).value).toMatchObject({ event: { stream: other, seq: 1 } });
      expect((await nextTurn).value).toMatchObject({ event: { type: "turn.started", seq: 2 } });
      expect((await take(everything, 1))[0]?.event.seq).toBe(2);
    });
  });
}
