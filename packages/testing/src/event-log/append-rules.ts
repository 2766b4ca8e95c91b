import { hash } from "node:crypto";
import { FIRST_PREV, headerHash, type NewEvent, type StreamId } from "@deputy/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { all, EVENT_BYTES, message, type OpenLog, setUpLog, textOf } from "./log-harness.ts";

const sha256 = (text: string): string => hash("sha256", text, "hex");

export function describeAppending(open: OpenLog): void {
  describe("appending", () => {
    test("[L1] numbers the events of each stream from 1, without gaps, in the order of their appends", async () => {
      const { log, ids, session } = await setUpLog(open);
      const other = ids.next("session");
      const appended = await Promise.all([
        log.append(session, [message("a"), message("b")]),
        log.append(other, [message("x")]),
        log.append(session, [message("c")]),
      ]);
      expect(appended.map((events) => events.map((event) => event.seq))).toEqual([[1, 2], [1], [3]]);
      expect((await all(log.read(session))).map(textOf)).toEqual(["a", "b", "c"]);
      const inOrder = (await all(log.readAll())).map(({ event }) => event.id);
      expect(inOrder.toSorted()).toEqual(inOrder);
    });

    test("[L1] [L5] any interleaving of appends leaves gap-free streams and a chain that verifies", async () => {
      const step = fc.record({
        stream: fc.nat(3),
        texts: fc.array(fc.string({ maxLength: 20 }), { maxLength: 4 }),
        durability: fc.constantFrom("full" as const, "relaxed" as const),
        expected: fc.option(fc.nat(6), { nil: undefined }),
        pause: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
          const { log, ids, close } = await setUpLog(open);
          const streams = Array.from({ length: 4 }, () => ids.next("session"));
          const kept = new Map<StreamId, string[]>();
          const running: Promise<void>[] = [];
          for (const { stream: n, texts, durability, expected, pause } of steps) {
            const stream = streams[n] ?? "system";
            const events = texts.map(message);
            const options = expected === undefined ? { durability } : { durability, expectedSeq: expected };
            const job = log.append(stream, events, options).then(
              () => void kept.set(stream, [...(kept.get(stream) ?? []), ...texts]),
              (error: unknown) => expect(error).toMatchObject({ code: "conflict" }),
            );
            running.push(job);
            if (pause) await job;
          }
          await Promise.all(running);
          for (const stream of streams) {
            const events = await all(log.read(stream));
            expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
            expect(events.map(textOf)).toEqual(kept.get(stream) ?? []);
          }
          expect((await log.verify()).damage).toEqual([]);
          await close();
        }),
        { numRuns: 25 },
      );
    });

    test("[L2] resolves with the stored events, next to each other", async () => {
      const { log, ids, session } = await setUpLog(open);
      const turnId = ids.next("turn");
      const [stored] = await Promise.all([
        log.append(session, [
          { ...message("one"), turnId },
          { type: "error", data: { code: "x", message: "two" } },
        ]),
        log.append(session, [message("three")]),
      ]);
      expect(stored).toHaveLength(2);
      expect(stored[0]).toMatchObject({ stream: session, seq: 1, type: "user.message", turnId });
      expect(stored[1]).not.toHaveProperty("turnId");
      expect((await all(log.read(session))).slice(0, 2)).toEqual(stored);
      expect(await log.append(session, [])).toEqual([]);
    });

    test("[L3] refuses only an append that expects another head, and writes nothing of it", async () => {
      const { log, ids, session } = await setUpLog(open);
      const cellId = ids.next("cell");
      const journal = [{ cellId, kind: "call", bytes: new Uint8Array([1]) }];
      const outcomes = await Promise.allSettled([
        log.append(session, [message("a")], { expectedSeq: 0 }),
        log.append(session, [message("b")], { expectedSeq: 0, journal }),
        log.append(session, [message("c")], { expectedSeq: 1 }),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(outcomes[1]).toMatchObject({ reason: { code: "conflict" } });
      expect((await all(log.read(session))).map(textOf)).toEqual(["a", "c"]);
      expect(await all(log.journal.read(cellId))).toEqual([]);
    });

    test("[L23] refuses any append to an ended turn; another stream may have its copy", async () => {
      const { log, ids, session } = await setUpLog(open);
      const [turnId, next, fork] = [ids.next("turn"), ids.next("turn"), ids.next("session")];
      const ended: NewEvent = { type: "turn.aborted", turnId, data: { by: "owner" } };
      const outcomes = await Promise.allSettled([
        log.append(session, [{ ...message("in it"), turnId }]),
        log.append(session, [{ ...message("at its end"), turnId }, ended]),
        log.append(session, [{ ...message("after it"), turnId }]),
        log.append(session, [{ ...message("of the next"), turnId: next }]),
        log.append(session, [message("of none")]),
        log.append(session, [message("nor with others"), ended]),
        log.append(fork, [{ ...message("a copy"), turnId }, ended]),
        log.append(fork, [ended, { ...message("not even in one append"), turnId: next }, ended]),
      ]);
      const refusals = outcomes.map((one) => (one.status === "rejected" ? one.reason.code : "taken"));
      const [taken, refused] = ["taken", "turn_ended"];
      expect(refusals).toEqual([taken, taken, refused, taken, taken, refused, taken, refused]);
      const texts = (await all(log.read(session))).map(textOf);
      expect(texts).toEqual(["in it", "at its end", undefined, "of the next", "of none"]);
    });

    test("[L4] refuses only the append with a payload above the limit, with all of its events", async () => {
      const { log, session } = await setUpLog(open);
      const [big, small] = await Promise.allSettled([
        log.append(session, [message("before"), message("é".repeat(EVENT_BYTES / 2))]),
        log.append(session, [message("é".repeat(EVENT_BYTES / 4))]),
      ]);
      expect(big).toMatchObject({ status: "rejected", reason: { code: "event_too_large" } });
      expect(small.status).toBe("fulfilled");
      expect((await log.head(session))?.seq).toBe(1);
    });

    test("[L5] each event names the hash of the one before it, and the head names the last", async () => {
      const { log, session } = await setUpLog(open);
      await log.append(session, [message("a"), message("b")]);
      await log.append(session, [message("c")]);
      let prev = FIRST_PREV;
      for await (const event of log.read(session)) {
        expect(event.prev).toBe(prev);
        prev = headerHash(sha256, event);
      }
      expect(await log.head(session)).toMatchObject({ stream: session, seq: 3, hash: prev });
    });

    test("[L6] reads back any payload exactly as handed over, even if the caller changes it later", async () => {
      const { log, session } = await setUpLog(open);
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), async (value) => {
          const data = { code: "\0 \ud800 \u2028 🙂", message: "", value };
          const expected: unknown = JSON.parse(JSON.stringify(data));
          const event: NewEvent = { type: "error", data };
          const appended = log.append(session, [event]);
          data.code = "changed meanwhile";
          const [stored] = await appended;
          const [found] = await all(log.read(session, { after: (stored?.seq ?? 0) - 1 }));
          expect(found?.data).toEqual(expected);
        }),
        { numRuns: 50 },
      );
    });
  });
}
