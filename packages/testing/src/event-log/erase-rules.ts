import { describe, expect, test } from "vitest";
import { all, message, type OpenLog, setUpLog } from "./log-harness.ts";

export function describeErasing(open: OpenLog): void {
  describe("erasing", () => {
    test("[L13] erases the payload, keeps the header, and records who erased it", async () => {
      const { log, session } = await setUpLog(open);
      const [first, secret] = await log.append(session, [message("hello"), message("my secret")]);
      if (first === undefined || secret === undefined) throw new Error("nothing was appended");
      await log.erase(secret.id, "ann", "a slip");
      const [hello, erased, record] = await all(log.read(session));
      expect(hello).toEqual(first);
      expect(erased).toEqual({ ...secret, data: null });
      expect(record).toMatchObject({
        type: "event.erased",
        seq: 3,
        data: { eventId: secret.id, seq: 2, payloadHash: secret.payloadHash, by: "ann", reason: "a slip" },
      });
      expect(await log.verify()).toEqual({ events: 3, streams: 1, erased: 1, damage: [] });
      expect((await all(log.readAll()))[1]?.event.data).toBeNull();
    });

    test("[L13] erases several payloads together, or none of them", async () => {
      const { log, ids, session } = await setUpLog(open);
      const other = ids.next("session");
      const [first] = await log.append(session, [message("one")]);
      const [second] = await log.append(other, [message("two")]);
      if (first === undefined || second === undefined) throw new Error("nothing was appended");
      const unknown = ids.next("event");
      await expect(log.erase([first.id, unknown], "ann")).rejects.toMatchObject({ code: "unknown_event" });
      expect(await all(log.read(session))).toEqual([first]);
      await log.erase([first.id, second.id, first.id], "ann");
      expect(await log.verify()).toEqual({ events: 4, streams: 2, erased: 2, damage: [] });
    });

    test("[L14] erasing twice leaves one record; an unknown event is refused", async () => {
      const { log, ids, session } = await setUpLog(open);
      const [event] = await log.append(session, [message("my secret")]);
      if (event === undefined) throw new Error("nothing was appended");
      await Promise.all([log.erase(event.id, "ann"), log.erase(event.id, "bob")]);
      await log.erase(event.id, "ann");
      expect((await log.head(session))?.seq).toBe(2);
      await expect(log.erase(ids.next("event"), "ann")).rejects.toMatchObject({ code: "unknown_event" });
    });
  });

  describe("journal", () => {
    test("[L15] returns a cell's entries in order, byte for byte, until they are erased", async () => {
      const { log, ids, session } = await setUpLog(open);
      const [cell, other] = [ids.next("cell"), ids.next("cell")];
      const entry = (cellId: typeof cell, kind: string, ...bytes: number[]) => ({
        cellId,
        kind,
        bytes: new Uint8Array(bytes),
      });
      await log.append(session, [message("a")], {
        journal: [entry(cell, "call", 1, 2), entry(other, "call")],
      });
      await log.append(session, [message("b")], { journal: [entry(cell, "snapshot", 0, 255)] });
      const found = await all(log.journal.read(cell));
      expect(found.map(({ kind, bytes }) => `${kind} ${bytes.join()}`)).toEqual([
        "call 1,2",
        "snapshot 0,255",
      ]);
      await log.journal.erase(cell);
      await log.journal.erase(cell);
      expect(await all(log.journal.read(cell))).toEqual([]);
      expect(await all(log.journal.read(other))).toHaveLength(1);
      await log.append(session, [], { journal: [entry(cell, "call", 9)] });
      expect(await all(log.journal.read(cell))).toHaveLength(1);
    });

    test("[L15] reads any number of entries", async () => {
      const { log, ids, session } = await setUpLog(open);
      const cellId = ids.next("cell");
      const journal = Array.from({ length: 40 }, (_, n) => ({
        cellId,
        kind: "call",
        bytes: new Uint8Array([n]),
      }));
      await log.append(session, [message("a")], { journal });
      expect((await all(log.journal.read(cellId))).map(({ bytes }) => bytes[0])).toEqual(
        journal.map((_, n) => n),
      );
    });
  });
}
