import { createFakeClock } from "@deputy/testing";
import { expect, onTestFinished, test } from "vitest";
import type { Delivery } from "../inbox/inbox.ts";
import { TasksError } from "../tasks-error.ts";
import type { EventSource, SourceContext, SourceState } from "./event-source.ts";
import { superviseSources } from "./supervise-sources.ts";

/** A source that is controlled by hand: each opening is a pair of its arguments, and a way to fail it. */
function createHandSource(name: string) {
  const opened: { readonly context: SourceContext; readonly fail: (error: unknown) => void }[] = [];
  const source: EventSource = {
    name,
    open: (context) =>
      new Promise((_, reject) => {
        opened.push({ context, fail: reject });
        context.signal.addEventListener("abort", () => reject(context.signal.reason as Error));
      }),
  };
  return { source, opened };
}

function setup(...names: readonly string[]) {
  const clock = createFakeClock();
  const hands = names.map(createHandSource);
  const told: (readonly [string, SourceState])[] = [];
  const bugs: unknown[] = [];
  const accepted: Delivery[] = [];
  const stop = new AbortController();
  const supervisor = superviseSources({
    sources: hands.map(({ source }) => source),
    inbox: { accept: async (delivery) => (accepted.push(delivery), { kind: "accepted" }) },
    clock,
    random: () => 1,
    onState: (name, state) => void told.push([name, state]),
    onBug: (error) => void bugs.push(error),
    signal: stop.signal,
  });
  onTestFinished(() => supervisor[Symbol.asyncDispose]());
  const [one, two] = hands.map(({ opened }) => opened);
  return { clock, supervisor, told, bugs, accepted, stop, one: one ?? [], two: two ?? [] };
}

const unreachable = () => new TasksError("source_unreachable", "No connection", { hint: "Plug it in." });
const watching = { kind: "watching", by: "push" } as const;

test("[J70] opens all sources at once; a failing one reports why and when it retries, without disturbing others", async () => {
  const { clock, supervisor, one, two, told } = setup("mail", "scans");
  two[0]?.context.onState(watching);
  one[0]?.fail(unreachable());
  await clock.advance(0);
  expect(supervisor.states().get("mail")).toEqual({
    kind: "failed",
    code: "source_unreachable",
    reason: "No connection",
    hint: "Plug it in.",
    retryAtMs: clock.now() + 1_000,
  });
  expect(supervisor.states().get("scans")).toEqual(watching);
  expect(two[0]?.context.signal.aborted).toBe(false);
  await clock.advance(999);
  expect(one).toHaveLength(1);
  await clock.advance(1);
  expect(one).toHaveLength(2);
  expect(told.filter(([name]) => name === "mail").map(([, { kind }]) => kind)).toEqual([
    "connecting",
    "failed",
    "connecting",
  ]);
});

test("[J70] waits longer after each further failure, up to five minutes", async () => {
  const { clock, one, supervisor } = setup("mail");
  const waits: number[] = [];
  for (let times = 0; times < 11; times++) {
    one.at(-1)?.fail(unreachable());
    await clock.advance(0);
    const state = supervisor.states().get("mail");
    if (state?.kind !== "failed") throw new Error("It has not failed");
    waits.push((state.retryAtMs - clock.now()) / 1_000);
    await clock.advance(state.retryAtMs - clock.now());
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
});

test("[J70] waits long before retrying a source that refuses", async () => {
  const { clock, one, supervisor } = setup("mail");
  one[0]?.fail(new TasksError("source_refused", "Wrong password"));
  await clock.advance(0);
  expect(supervisor.states().get("mail")).toMatchObject({ retryAtMs: clock.now() + 300_000 });
});

test("[J70] reopens a source at once if it watched for a minute, and resets its failures", async () => {
  const { clock, one, supervisor } = setup("mail");
  for (let times = 0; times < 5; times++) {
    one.at(-1)?.fail(unreachable());
    await clock.advance(0);
    await clock.advance(300_000);
  }
  one.at(-1)?.context.onState(watching);
  await clock.advance(60_000);
  const before = one.length;
  one.at(-1)?.fail(unreachable());
  await clock.advance(0);
  expect(one).toHaveLength(before + 1);
  one.at(-1)?.fail(unreachable());
  await clock.advance(0);
  expect(supervisor.states().get("mail")).toMatchObject({ retryAtMs: clock.now() + 1_000 });
});

test("[J70] waits for a source that watches only for moments", async () => {
  const { clock, one } = setup("mail");
  for (let times = 0; times < 5; times++) {
    one.at(-1)?.context.onState(watching);
    await clock.advance(59_000);
    one.at(-1)?.fail(unreachable());
    await clock.advance(0);
    expect(one).toHaveLength(times + 1);
    await clock.advance(1_000 * 2 ** times);
    expect(one).toHaveLength(times + 2);
  }
});

test("[J70] reports a bug, and opens the source again", async () => {
  const { clock, one, bugs, supervisor } = setup("mail");
  const bug = new TypeError("undefined is not a function");
  one[0]?.fail(bug);
  await clock.advance(0);
  expect(bugs).toEqual([bug]);
  expect(supervisor.states().get("mail")).toMatchObject({ kind: "failed", code: "internal" });
  expect(JSON.stringify([...supervisor.states()])).not.toContain("not a function");
  await clock.advance(1_000);
  expect(one).toHaveLength(2);
});

test("[J70] passes a source's reports to the inbox; closing waits for every source to end", async () => {
  const { clock, one, two, accepted, supervisor, bugs, told } = setup("mail", "scans");
  const delivery = { key: "1" } as Delivery;
  expect(await one[0]?.context.accept(delivery)).toEqual({ kind: "accepted" });
  expect(accepted).toEqual([delivery]);
  two[0]?.fail(unreachable());
  await clock.advance(0);
  const before = told.length;
  await supervisor[Symbol.asyncDispose]();
  expect(one[0]?.context.signal.aborted).toBe(true);
  expect([bugs, told.length, one.length, two.length]).toEqual([[], before, 1, 1]);
});
