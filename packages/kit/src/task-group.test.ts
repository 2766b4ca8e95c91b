import { expect, test } from "vitest";
import { abortReason } from "./coded-error.ts";
import { openTaskGroup } from "./task-group.ts";

function setup() {
  const parent = new AbortController();
  const log: string[] = [];
  /** A child that waits for the abort, cleans up a moment later, and rejects with the reason. */
  const waiter = (name: string) => async (signal: AbortSignal) => {
    await new Promise((resolve) => {
      signal.addEventListener("abort", resolve, { once: true });
    });
    await new Promise((resolve) => void setImmediate(resolve));
    log.push(name);
    throw abortReason(signal);
  };
  return { parent, log, waiter };
}

const failing = async (): Promise<void> => {
  throw new Error("disk full");
};

test("[K19] join waits for every child", async () => {
  const { parent } = setup();
  await using group = openTaskGroup(parent.signal);
  let finished = 0;
  for (let index = 0; index < 3; index++) {
    group.spawn(async () => {
      await new Promise((resolve) => void setImmediate(resolve));
      finished++;
    });
  }
  await group.join();
  expect(finished).toBe(3);
});

test("[K19] join waits for children of children, and returns at once for an empty group", async () => {
  const { parent } = setup();
  await using group = openTaskGroup(parent.signal);
  await group.join();
  const log: string[] = [];
  group.spawn(async () => {
    await new Promise((resolve) => void setImmediate(resolve));
    group.spawn(async () => {
      await new Promise((resolve) => void setImmediate(resolve));
      log.push("grandchild");
    });
  });
  await group.join();
  expect(log).toEqual(["grandchild"]);
});

test("[K20] the first failure stops the siblings and is the one reported", async () => {
  const { parent, log, waiter } = setup();
  await using group = openTaskGroup(parent.signal);
  group.spawn(waiter("sibling"));
  group.spawn(failing);
  group.spawn(async () => {
    await new Promise((resolve) => void setImmediate(resolve));
    throw new Error("a later failure");
  });
  await expect(group.join()).rejects.toThrow("disk full");
  expect(log).toEqual(["sibling"]);
  expect(group.signal.reason).toMatchObject({ message: "disk full" });
  expect(parent.signal.aborted).toBe(false);
  await expect(group.join()).rejects.toThrow("disk full");
});

test("[K20] a child that throws before its first await counts as failed too", async () => {
  const { parent, log, waiter } = setup();
  await using group = openTaskGroup(parent.signal);
  group.spawn(waiter("sibling"));
  group.spawn(() => {
    throw new Error("thrown synchronously");
  });
  await expect(group.join()).rejects.toThrow("thrown synchronously");
  expect(log).toEqual(["sibling"]);
});

test("[K21] the parent's abort reaches the children", async () => {
  const { parent, log, waiter } = setup();
  await using group = openTaskGroup(parent.signal);
  group.spawn(waiter("child"));
  parent.abort(new Error("shutdown"));
  await expect(group.join()).rejects.toThrow("shutdown");
  expect(log).toEqual(["child"]);
});

test("[K21] an error during clean-up does not hide the abort's reason", async () => {
  const { parent, waiter } = setup();
  await using group = openTaskGroup(parent.signal);
  group.spawn((signal) =>
    waiter("child")(signal).catch(() => {
      throw new Error("could not tidy up");
    }),
  );
  parent.abort(new Error("shutdown"));
  await expect(group.join()).rejects.toThrow("shutdown");
});

test("[K21] the same if the children succeed, or the reason is not an Error", async () => {
  const { parent } = setup();
  await using group = openTaskGroup(parent.signal);
  group.spawn(async () => {});
  parent.abort("stop");
  await expect(group.join()).rejects.toMatchObject({ name: "AbortError" });
});

test("[K21] an aborted parent aborts a new group; a closed group removes its listener from the parent", async () => {
  const { parent } = setup();
  const removed = openTaskGroup(parent.signal);
  await removed[Symbol.asyncDispose]();
  const reason = removed.signal.reason as Error;
  parent.abort(new Error("shutdown"));
  expect(removed.signal.reason).toBe(reason);
  await using late = openTaskGroup(parent.signal);
  expect(late.signal.reason).toMatchObject({ message: "shutdown" });
});

test("[K22] leaving the block waits for the children to clean up", async () => {
  const { parent, log, waiter } = setup();
  {
    await using group = openTaskGroup(parent.signal);
    group.spawn(waiter("cleaned"));
  }
  expect(log).toEqual(["cleaned"]);
  expect(parent.signal.aborted).toBe(false);
});

test("[K22] closing never throws, not after a failure and not twice", async () => {
  const { parent } = setup();
  const group = openTaskGroup(parent.signal);
  group.spawn(failing);
  await group[Symbol.asyncDispose]();
  await group[Symbol.asyncDispose]();
  expect(group.signal.aborted).toBe(true);
});

test("[K23] refuses to spawn once the parent aborted, a child failed, or the group closed", async () => {
  const { parent } = setup();
  const closed = openTaskGroup(parent.signal);
  await closed[Symbol.asyncDispose]();
  await using failed = openTaskGroup(parent.signal);
  failed.spawn(failing);
  await expect(failed.join()).rejects.toThrow("disk full");
  await using orphan = openTaskGroup(parent.signal);
  parent.abort("stop");
  let spawned = 0;
  const count = async (): Promise<void> => void spawned++;
  expect(() => closed.spawn(count)).toThrow("Task group closed");
  expect(() => failed.spawn(count)).toThrow("disk full");
  expect(() => orphan.spawn(count)).toThrow(DOMException);
  expect(spawned).toBe(0);
});
