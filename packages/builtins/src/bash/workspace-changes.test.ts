import { createWorkspaceLane } from "@deputy/workspace/lane";
import { expect, test } from "vitest";
import { createWorkspaceChanges } from "./workspace-changes.ts";

const live = new AbortController().signal;
const LINE = { command: "npm test", cwd: "" };
const OTHER = { command: "make", cwd: "" };

function setup() {
  const files: string[] = [];
  const changes = createWorkspaceChanges({ lane: createWorkspaceLane(), state: async () => files.join() });
  const write = (name: string) => async () => void files.push(name);
  return { changes, write, files };
}

test("[TB26] what a line's own runs change does not count against it, run after run", async () => {
  const { changes, write } = setup();
  const before = await changes.groundsOf(LINE);
  for (const name of ["log", "cache", "log2"]) {
    await changes.run(LINE, write(name));
    expect(await changes.groundsOf(LINE)).toBe(before);
  }
  expect(await changes.stateOf(LINE)).not.toBe(before);
  expect(await changes.groundsOf({ ...LINE, cwd: "sub" })).not.toBe(before);
});

test("[TB26] what anything else changes does: a tool, another line, the user", async () => {
  const by: ((it: ReturnType<typeof setup>) => Promise<unknown>)[] = [
    ({ changes, write }) => changes.lane(live, write("script")),
    ({ changes, write }) => changes.run(OTHER, write("script")),
    ({ write }) => write("script")(),
  ];
  for (const change of by) {
    const it = setup();
    const before = await it.changes.groundsOf(LINE);
    await it.changes.run(LINE, it.write("log"));
    await change(it);
    expect(await it.changes.groundsOf(LINE)).not.toBe(before);
    await it.changes.run(LINE, it.write("more"));
    expect(await it.changes.groundsOf(LINE)).not.toBe(before);
  }
});

test("[TB26] what was changed while something else was at work is not its own", async () => {
  for (const kind of ["tool", "line before", "line during"] as const) {
    const { changes, write } = setup();
    const before = await changes.groundsOf(LINE);
    const [mine, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const begin = () => changes.run(OTHER, () => other.promise);
    const early = kind === "line before" ? begin() : undefined;
    await new Promise((resolve) => void setImmediate(resolve));
    const running = changes.run(LINE, async () => {
      await mine.promise;
      await write("log")();
    });
    await new Promise((resolve) => void setImmediate(resolve));
    const during =
      kind === "tool" ? changes.lane(live, write("script")) : kind === "line during" ? begin() : undefined;
    await new Promise((resolve) => void setImmediate(resolve));
    mine.resolve();
    await running;
    expect([kind, (await changes.groundsOf(LINE)) === before]).toEqual([kind, false]);
    other.resolve();
    await Promise.all([early, during]);
  }
});

test("[TB26] a run that fails is one all the same", async () => {
  const { changes, files } = setup();
  const before = await changes.groundsOf(LINE);
  const failing = changes.run(LINE, async () => {
    files.push("log");
    throw new Error("it was stopped");
  });
  await expect(failing).rejects.toThrow("it was stopped");
  expect(await changes.groundsOf(LINE)).toBe(before);
});
