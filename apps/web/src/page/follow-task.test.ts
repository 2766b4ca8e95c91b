import type { TaskEvent } from "@deputy/protocol";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Client, RequestFailed } from "./client.ts";
import { followTask } from "./follow-task.ts";

/** A gateway that answers each connection with the next of these: a stream's text, or a refusal. */
function setup(...answers: readonly (string | RequestFailed)[]) {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const left = [...answers];
  const cursors: (string | undefined)[] = [];
  const events: TaskEvent[] = [];
  const troubles: (string | undefined)[] = [];
  const unused = (): never => {
    throw new Error("not part of this test");
  };
  const client: Client = {
    listTasks: unused,
    listNotices: unused,
    readTrouble: unused,
    createTask: unused,
    cancelTask: unused,
    answerApproval: unused,
    async openEvents(_id, lastEventId) {
      cursors.push(lastEventId);
      const answer = left.shift();
      if (typeof answer === "string") return new Response(answer);
      throw answer ?? new Error("one connection too many");
    },
  };
  const follower = {
    event: (event: TaskEvent) => void events.push(event),
    connection: (trouble: string | undefined) => void troubles.push(trouble),
  };
  const stop = new AbortController();
  const done = followTask(client, "tsk_1", follower, stop.signal);
  done.catch(() => undefined);
  return { done, stop, cursors, events, troubles };
}

const status = (message: string): TaskEvent => ({ type: "status", message });
const data = (event: TaskEvent): string => `data: ${JSON.stringify(event)}\n\n`;
const group = (id: number, ...events: readonly TaskEvent[]): string =>
  events.map((event, i) => (i < events.length - 1 ? data(event) : `id: ${id}\n${data(event)}`)).join("");
const completed: TaskEvent = { type: "completed" };

test("[W2] a group that was cut in the middle is taken once, whole, from the cursor before it", async () => {
  const { done, events, cursors, troubles } = setup(
    group(1, status("a")) + data(status("b")),
    group(2, status("b"), status("c")) + group(3, completed),
  );
  await vi.runAllTimersAsync();
  await done;
  expect(events).toEqual([status("a"), status("b"), status("c"), completed]);
  expect(cursors).toEqual([undefined, "1"]);
  expect(troubles).toEqual([undefined, "The connection was lost. Reconnecting…", undefined]);
});

test("[W2] a gateway that is away or busy is tried again", async () => {
  const refusals = [0, 429, 500, 503].map((code) => new RequestFailed(code, "later"));
  const { done, events } = setup(...refusals, group(1, completed));
  await vi.runAllTimersAsync();
  await done;
  expect(events).toEqual([completed]);
});

test.each([400, 401, 404])("[W2] a refusal that will not change ends it: %i", async (code) => {
  const { done, cursors } = setup(new RequestFailed(code, "no"));
  await expect(done).rejects.toMatchObject({ status: code });
  expect(cursors).toHaveLength(1);
});

test("[W2] leaving the task ends it at once, also while it waits", async () => {
  const { done, stop } = setup(group(1, status("a")));
  await vi.advanceTimersByTimeAsync(10);
  stop.abort();
  await done;
});
