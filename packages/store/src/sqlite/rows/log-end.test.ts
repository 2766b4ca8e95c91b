import * as fc from "fast-check";
import { expect, test } from "vitest";
import { messages, setUpHome } from "../store.fixture.ts";
import { createLogEnd } from "./log-end.ts";

const TYPES = ["turn.started", "turn.completed", "approval.requested"] as const;
const typesArbitrary = fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1 });

test("[S46] what would find something is always read, and what was read once is not read again for nothing", () => {
  const steps = fc.oneof(
    fc.record({ commit: fc.array(fc.constantFrom(...TYPES, "user.message" as const), { minLength: 1 }) }),
    fc.record({ look: typesArbitrary, back: fc.nat(12) }),
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...TYPES)), fc.array(steps), (before, then) => {
      const log: { readonly position: number; readonly event: { readonly type: string } }[] = [];
      const write = (types: readonly string[]): void =>
        types.forEach((type) => log.push({ position: log.length + 1, event: { type } }));
      write(before);
      const end = createLogEnd(log.length);
      for (const step of then) {
        if ("commit" in step) {
          write(step.commit);
          end.committed(
            step.commit.map((type) => ({ type })),
            log.length,
          );
          continue;
        }
        const after = Math.max(0, log.length - step.back);
        const there = log.filter(
          ({ position, event }) => position > after && step.look.some((type) => type === event.type),
        );
        expect(end.mayFollow(after, undefined)).toBe(log.length > after);
        if (there.length > 0) expect(end.mayFollow(after, step.look)).toBe(true);
        end.read(step.look, after, there);
        expect(end.mayFollow(after, step.look)).toBe(there.length > 0);
      }
    }),
  );
});

test("[S46] a follower of some types gets what is committed later, however often it found nothing before", async () => {
  const home = setUpHome();
  const { log } = await home.open();
  const session = home.ids.next("session");
  const turnId = home.ids.next("turn");
  const follow = async (after: number): Promise<number[]> => {
    const found: number[] = [];
    for await (const { position } of log.readAll({ after, types: ["turn.completed", "turn.aborted"] }))
      found.push(position);
    return found;
  };
  await log.append(session, messages(3));
  expect([await follow(0), await follow(0), await follow(3)]).toEqual([[], [], []]);
  await log.append(session, [
    { type: "turn.completed", turnId, data: { usage: { inputTokens: 1, outputTokens: 1, modelCalls: 1 } } },
  ]);
  await log.append(session, messages(2));
  expect([await follow(0), await follow(3), await follow(4)]).toEqual([[4], [4], []]);
});
