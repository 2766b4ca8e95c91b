import { describe, expect, test } from "vitest";
import { all, message, type OpenLog, setUpLog, textOf, turnStarted } from "./log-harness.ts";

export function describeReading(open: OpenLog): void {
  describe("reading", () => {
    test("[L7] reads after a cursor and up to a limit, over any number of pages", async () => {
      const { log, session } = await setUpLog(open);
      const texts = Array.from({ length: 600 }, (_, n) => `${n + 1}`);
      for (let from = 0; from < texts.length; from += 100)
        await log.append(session, texts.slice(from, from + 100).map(message));
      expect((await all(log.read(session))).map(textOf)).toEqual(texts);
      expect((await all(log.read(session, { after: 297, limit: 300 }))).map(textOf)).toEqual(
        texts.slice(297, 597),
      );
      expect(await all(log.read(session, { after: 600 }))).toEqual([]);
      expect(await all(log.read(session, { after: 9_999 }))).toEqual([]);
      expect(await all(log.read(session, { limit: 0 }))).toEqual([]);
    });

    test("[L7] a stream without events is empty and has no head", async () => {
      const { log, session } = await setUpLog(open);
      expect(await all(log.read(session))).toEqual([]);
      expect(await log.head(session)).toBeUndefined();
      expect(await all(log.streams())).toEqual([]);
    });

    test("[L8] reads all streams in the order of commit, from any position", async () => {
      const { log, ids, session } = await setUpLog(open);
      const other = ids.next("session");
      await log.append(session, [message("a")]);
      await log.append(other, [message("b"), message("c")]);
      await log.append(session, [message("d")]);
      const found = await all(log.readAll());
      expect(found.map(({ event }) => textOf(event))).toEqual(["a", "b", "c", "d"]);
      const rest = await all(log.readAll({ after: found[1]?.position ?? 0 }));
      expect(rest.map(({ event }) => textOf(event))).toEqual(["c", "d"]);
      expect(await all(log.readAll({ after: found[3]?.position ?? 0 }))).toEqual([]);
    });

    test("[L9] finds indexed events among everything else, of several types in order", async () => {
      const { log, ids, session } = await setUpLog(open);
      for (let n = 0; n < 20; n++) {
        const turnId = ids.next("turn");
        await log.append(session, [
          message("noise"),
          turnStarted(turnId),
          { type: "turn.aborted", data: { by: "ann" }, turnId },
        ]);
      }
      const types = async (...wanted: Parameters<typeof log.readAll>): Promise<string[]> =>
        (await all(log.readAll(...wanted))).map(({ event }) => event.type);
      expect(await types({ types: ["turn.started"] })).toEqual(Array(20).fill("turn.started"));
      const both = await all(log.readAll({ types: ["turn.aborted", "turn.started", "turn.started"] }));
      expect(both.map(({ event }) => event.type)).toEqual(
        Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? "turn.started" : "turn.aborted")),
      );
      const after = both[4]?.position ?? 0;
      expect(await types({ types: ["turn.started", "turn.aborted"], after })).toHaveLength(35);
      expect(await types({ types: ["task.created"] })).toEqual([]);
      expect(await types({ types: [] })).toEqual([]);
    });

    test("[L10] lists every stream in the order of its first event", async () => {
      const { log, ids } = await setUpLog(open);
      const streams = Array.from({ length: 300 }, () => ids.next("session")).reverse();
      for (const stream of streams) await log.append(stream, [message("hello")]);
      await log.append(streams[200] ?? "system", [message("again")]);
      const heads = await all(log.streams());
      expect(heads.map((head) => head.stream)).toEqual(streams);
      expect(heads[200]).toEqual(await log.head(streams[200] ?? "system"));
      expect(heads[200]).toMatchObject({ seq: 2, schemaVersion: 1 });
      const changed = await all(log.streams({ changedAfter: 299 }));
      expect(changed.map((head) => head.stream)).toEqual([streams[200], streams[299]]);
    });

    test("[L24] a long read does not delay other due work until its end", async () => {
      const { log, session } = await setUpLog(open);
      await log.append(
        session,
        Array.from({ length: 2_000 }, (_, n) => message(`${n}`)),
      );
      let seen = 0;
      let seenThen = 0;
      setImmediate(() => (seenThen = seen));
      for await (const _ of log.readAll()) seen += 1;
      expect(seen).toBe(2_000);
      expect(seenThen).toBeLessThan(1_000);
    });

    test("[L11] verifying counts the events of all streams or of one", async () => {
      const { log, ids, session } = await setUpLog(open);
      await log.append(session, [message("a"), message("b")]);
      await log.append(ids.next("session"), [message("c")]);
      expect(await log.verify()).toEqual({ events: 3, streams: 2, erased: 0, damage: [] });
      expect(await log.verify({ stream: session })).toEqual({ events: 2, streams: 1, erased: 0, damage: [] });
      expect(await log.verify({ stream: "system" })).toEqual({
        events: 0,
        streams: 0,
        erased: 0,
        damage: [],
      });
    });

    test("[L12] a closed log refuses everything, and closing commits what was handed over", async () => {
      const { log, ids, session, close } = await setUpLog(open);
      const pending = log.append(session, [message("just in time")]);
      await close();
      await expect(pending).resolves.toHaveLength(1);
      const refused = { code: "log_closed" };
      await expect(log.append(session, [message("late")])).rejects.toMatchObject(refused);
      await expect(all(log.read(session))).rejects.toMatchObject(refused);
      await expect(all(log.readAll())).rejects.toMatchObject(refused);
      await expect(log.head(session)).rejects.toMatchObject(refused);
      await expect(log.verify()).rejects.toMatchObject(refused);
      await expect(log.erase(ids.next("event"), "ann")).rejects.toMatchObject(refused);
      await expect(all(log.journal.read(ids.next("cell")))).rejects.toMatchObject(refused);
      await expect(log.journal.erase(ids.next("cell"))).rejects.toMatchObject(refused);
    });
  });
}
