import { expect, test } from "vitest";
import { untilStopped } from "./task-group.ts";

test("[K36] settles like its promise, and leaves no listener on the signal", async () => {
  const { signal } = new AbortController();
  expect(await untilStopped(Promise.resolve(1), signal)).toBe(1);
  await expect(untilStopped(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
});

test("[K36] an abort rejects at once with the signal's reason", async () => {
  const owner = new AbortController();
  const waiting = untilStopped(new Promise(() => undefined), owner.signal);
  owner.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});

test("[K36] a failure after an abort, or with an aborted signal, is not an unhandled rejection", async () => {
  const stray: unknown[] = [];
  const note = (error: unknown): void => void stray.push(error);
  process.on("unhandledRejection", note);
  const late = Promise.withResolvers<never>();
  await expect(untilStopped(late.promise, AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
  late.reject(new Error("late"));
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(stray).toEqual([]);
});
