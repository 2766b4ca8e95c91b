import type { LogItem } from "@deputy/protocol";
import { describe, expect, test } from "vitest";
import {
  delta,
  iterate,
  type LogSetup,
  message,
  type OpenLog,
  reply,
  setUpLog,
  take,
  turnStarted,
} from "./log-harness.ts";

function label(item: LogItem): string {
  return item.kind === "event" ? item.event.type : `${item.delta.offset}:${item.delta.text}`;
}

/** Everything a new subscriber gets before the event it is woken up with. */
async function whatJoinersGet({ log, session, signal }: LogSetup): Promise<string[]> {
  const labels: string[] = [];
  const items = iterate(log.subscribe(session, { after: (await log.head(session))?.seq ?? 0 }, signal));
  const first = items.next();
  await new Promise(setImmediate);
  await log.append(session, [{ type: "error", data: { code: "end", message: "" } }]);
  for (let item = await first; item.done !== true; item = await items.next()) {
    if (item.value.kind === "event") break;
    labels.push(label(item.value));
  }
  await items.return?.();
  return labels;
}

export function describeDeltas(open: OpenLog): void {
  describe("deltas", () => {
    test("[L19] reach live subscribers in the order in which everything happened", async () => {
      const { log, ids, session, signal } = await setUpLog(open);
      const item = { itemId: ids.next("item"), turnId: ids.next("turn") };
      const next = { itemId: ids.next("item"), turnId: item.turnId };
      const items = iterate(log.subscribe(session, {}, signal));
      const first = items.next();
      await log.append(session, [turnStarted(item.turnId)]);
      log.publish(delta(session, item, 0, "Hel"));
      log.publish(delta(session, item, 3, "lo"));
      log.publish(delta(ids.next("session"), item, 0, "not here"));
      await log.append(session, [reply(item.itemId, item.turnId, "Hello")]);
      log.publish(delta(session, next, 0, "More"));
      await log.append(session, [reply(next.itemId, item.turnId, "More")]);
      const labels = [await first, ...(await take(items, 5)).map((value) => ({ value }))];
      expect(labels.map(({ value }) => label(value as LogItem))).toEqual([
        "turn.started",
        "0:Hel",
        "3:lo",
        "assistant.message",
        "0:More",
        "assistant.message",
      ]);
    });

    test("[L20] a new subscriber gets one delta with the text so far of each open item", async () => {
      const setup = await setUpLog(open);
      const { log, ids, session } = setup;
      const turnId = ids.next("turn");
      const [thought, answer] = [
        { itemId: ids.next("item"), turnId },
        { itemId: ids.next("item"), turnId },
      ];
      await log.append(session, [turnStarted(turnId)]);
      log.publish({ ...delta(session, thought, 0, "Hmm"), itemType: "reasoning" });
      for (const [offset, text] of [
        [0, "Hello"],
        [5, " wor"],
        [5, " world"], // a repeat that goes further
        [0, "He"],
      ] as const)
        log.publish(delta(session, answer, offset, text));
      expect(await whatJoinersGet(setup)).toEqual(["0:Hmm", "0:Hello world"]);
    });

    test("[L20] a subscriber that still reads the past gets the text once, after it has caught up", async () => {
      const { log, ids, session, signal } = await setUpLog(open);
      const item = { itemId: ids.next("item"), turnId: ids.next("turn") };
      await log.append(
        session,
        Array.from({ length: 600 }, () => message("past")),
      );
      const items = iterate(log.subscribe(session, {}, signal));
      const past = await take(items, 300);
      log.publish(delta(session, item, 0, "Hel"));
      log.publish(delta(session, item, 3, "lo"));
      past.push(...(await take(items, 300)));
      expect(new Set(past.map(label))).toEqual(new Set(["user.message"]));
      expect((await take(items, 1)).map(label)).toEqual(["0:Hello"]);
      await log.append(session, [turnStarted(item.turnId)]);
      expect((await take(items, 1)).map(label)).toEqual(["turn.started"]);
    });

    test("[L20] does not offer an item whose beginning was never seen", async () => {
      const setup = await setUpLog(open);
      const { log, ids, session } = setup;
      const item = { itemId: ids.next("item"), turnId: ids.next("turn") };
      await log.append(session, [turnStarted(item.turnId)]);
      log.publish(delta(session, item, 7, "the rest"));
      expect(await whatJoinersGet(setup)).toEqual([]);
    });

    test("[L21] an item is closed by its message or reasoning, or by the end of its turn", async () => {
      const setup = await setUpLog(open);
      const { log, ids, session } = setup;
      const turnId = ids.next("turn");
      const items = Array.from({ length: 3 }, () => ({ itemId: ids.next("item"), turnId }));
      const other = { itemId: ids.next("item"), turnId: ids.next("turn") };
      for (const [n, item] of [...items, other].entries()) log.publish(delta(session, item, 0, `${n}`));
      const [first, second] = items;
      if (first === undefined || second === undefined) throw new Error("no items");
      await log.append(session, [reply(first.itemId, turnId, "0")]);
      await log.append(session, [
        { type: "assistant.reasoning", data: { itemId: second.itemId, text: "1" }, turnId },
      ]);
      expect(await whatJoinersGet(setup)).toEqual(["0:2", "0:3"]);
      await log.append(session, [{ type: "turn.aborted", data: { by: "ann" }, turnId }]);
      expect(await whatJoinersGet(setup)).toEqual(["0:3"]);
    });

    test("[L22] a slow reader loses some deltas but no event, and gets the whole text", async () => {
      const { log, ids, session, signal } = await setUpLog(open);
      const item = { itemId: ids.next("item"), turnId: ids.next("turn") };
      const items = iterate(log.subscribe(session, {}, signal));
      const first = items.next();
      await log.append(session, [message("1")]);
      await first;
      const waiting = items.next();
      await new Promise(setImmediate);
      let text = "";
      for (let n = 0; n < 2_000; n++) {
        log.publish(delta(session, item, text.length, `${n} `));
        text += `${n} `;
        if (n % 500 === 0) await log.append(session, [message(`${n}`)]);
      }
      const seen = [(await waiting).value as LogItem];
      let known = "";
      while (known !== text) {
        for (const one of seen) {
          if (one.kind === "event") continue;
          expect(one.delta.offset).toBeLessThanOrEqual(known.length);
          known = known.slice(0, one.delta.offset) + one.delta.text;
        }
        if (known !== text) seen.splice(0, seen.length, ...(await take(items, 1)));
      }
      expect((await log.head(session))?.seq).toBe(5);
    });
  });
}
