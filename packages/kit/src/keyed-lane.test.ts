import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { createKeyedLane } from "./keyed-lane.ts";

const live = new AbortController().signal;

/** Jobs that record when they begin, and end when the test says so. */
function setup(limits = { maxWaiting: 100 }) {
  const lane = createKeyedLane<string>(limits);
  const began: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<string>>();
  const start = (key: string, name: string, signal: AbortSignal = live): Promise<string> => {
    const gate = Promise.withResolvers<string>();
    gates.set(name, gate);
    return lane.run(key, signal, () => {
      began.push(name);
      return gate.promise;
    });
  };
  const finish = (name: string): void => gates.get(name)?.resolve(name);
  const fail = (name: string): void => gates.get(name)?.reject(new Error(name));
  return { lane, began, start, finish, fail };
}

const settleAll = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("[K10] runs one job per key at a time, in order of arrival", async () => {
  const { began, start, finish } = setup();
  const jobs = [start("a", "a1"), start("a", "a2"), start("a", "a3")];
  await settleAll();
  expect(began).toEqual(["a1"]);
  finish("a1");
  await settleAll();
  expect(began).toEqual(["a1", "a2"]);
  finish("a2");
  finish("a3");
  await expect(Promise.all(jobs)).resolves.toEqual(["a1", "a2", "a3"]);
});

test("[K10] a failed job does not affect the next one", async () => {
  const { began, start, finish, fail } = setup();
  const first = start("a", "a1");
  const second = start("a", "a2");
  fail("a1");
  finish("a2");
  await expect(first).rejects.toThrow("a1");
  await expect(second).resolves.toBe("a2");
  expect(began).toEqual(["a1", "a2"]);
});

test("[K10] a new job does not overtake one whose turn has come", async () => {
  const { began, start, finish } = setup();
  const jobs = [start("a", "a1"), start("a", "a2")];
  finish("a1");
  await jobs[0];
  jobs.push(start("a", "a3"));
  finish("a2");
  finish("a3");
  await Promise.all(jobs);
  expect(began).toEqual(["a1", "a2", "a3"]);
});

test("[K10] [K11] every interleaving keeps the order of each key and never overlaps one", async () => {
  const arrivals = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(arrivals, fc.scheduler(), async (keys, scheduler) => {
      const lane = createKeyedLane<string>({ maxWaiting: 100 });
      const running = new Set<string>();
      const order: string[] = [];
      const jobs = keys.map((key, index) =>
        lane.run(key, live, async () => {
          expect(running.has(key)).toBe(false);
          running.add(key);
          order.push(`${key}${index}`);
          await scheduler.schedule(Promise.resolve());
          running.delete(key);
        }),
      );
      await scheduler.waitFor(Promise.all(jobs));
      for (const wanted of ["a", "b", "c"]) {
        expect(order.filter((name) => name.startsWith(wanted))).toEqual(
          keys.flatMap((key, index) => (key === wanted ? [`${key}${index}`] : [])),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test("[K11] jobs of other keys do not wait", async () => {
  const { began, start, finish } = setup();
  const blocked = start("a", "a1");
  const other = start("b", "b1");
  finish("b1");
  await expect(other).resolves.toBe("b1");
  expect(began).toEqual(["a1", "b1"]);
  finish("a1");
  await blocked;
});

test("[K12] refuses jobs beyond the limit of their key", async () => {
  const { began, start, finish } = setup({ maxWaiting: 1 });
  const jobs = [start("a", "a1"), start("a", "a2"), start("b", "b1")];
  await expect(start("a", "a3")).rejects.toMatchObject({ code: "lane_full" });
  for (const name of ["a1", "a2", "b1"]) finish(name);
  await Promise.all(jobs);
  const again = start("a", "a4");
  finish("a4");
  await again;
  expect(began).not.toContain("a3");
});

test("[K13] a job aborted while waiting never runs, frees its place, and the others keep their order", async () => {
  const { began, start, finish } = setup({ maxWaiting: 2 });
  const stop = new AbortController();
  const first = start("a", "a1");
  const second = start("a", "a2", stop.signal);
  const third = start("a", "a3");
  stop.abort("stop");
  await expect(second).rejects.toMatchObject({ name: "AbortError" });
  const fourth = start("a", "a4");
  for (const name of ["a1", "a3", "a4"]) finish(name);
  await Promise.all([first, third, fourth]);
  expect(began).toEqual(["a1", "a3", "a4"]);
});

test("[K13] handles an abort at the moment its turn comes", async () => {
  const { lane, began, start } = setup();
  const stop = new AbortController();
  const first = lane.run("a", live, async () => {
    // Settles first, so the lane moves on before the abort arrives.
    void Promise.resolve().then(() => Promise.resolve().then(() => stop.abort(new Error("too late"))));
  });
  const second = start("a", "a2", stop.signal);
  await first;
  await expect(second).rejects.toThrow("too late");
  expect(began).toEqual([]);
});

test("[K13] does not queue a job with an aborted signal", async () => {
  const { began, start, finish } = setup();
  await expect(start("a", "a1", AbortSignal.abort(new Error("gone")))).rejects.toThrow("gone");
  const next = start("a", "a2");
  finish("a2");
  await next;
  expect(began).toEqual(["a2"]);
});

test("[K13] a job that has run leaves no listener behind", async () => {
  const { start, finish } = setup();
  const { signal } = new AbortController();
  const added = vi.spyOn(signal, "addEventListener");
  const removed = vi.spyOn(signal, "removeEventListener");
  const jobs = [start("a", "a1"), start("a", "a2", signal)];
  finish("a1");
  finish("a2");
  await Promise.all(jobs);
  expect(added).toHaveBeenCalledOnce();
  expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
});

test("[K13] an abort during the job is left to the job", async () => {
  const { start, finish } = setup();
  const stop = new AbortController();
  const job = start("a", "a1", stop.signal);
  stop.abort();
  finish("a1");
  await expect(job).resolves.toBe("a1");
});
