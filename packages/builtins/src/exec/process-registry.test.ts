import { createFakeClock } from "@deputy/testing";
import { expect, test } from "vitest";
import type { CommandResult, StartedCommand } from "../bash/command-runner.ts";
import { createProcessRegistry, type Process, type ProcessLimits } from "./process-registry.ts";

const live = new AbortController().signal;
const RESULT: CommandResult = {
  stdout: "all of it",
  stderr: "",
  exitCode: 3,
  timedOut: false,
  cut: { stdout: 0, stderr: 0 },
  durationMs: 1,
  sandbox: "none",
};

function setup(limits: Partial<ProcessLimits> = {}) {
  const clock = createFakeClock();
  const told: string[] = [];
  const record: string[] = [];
  const written: string[] = [];
  let ids = 0;
  const registry = createProcessRegistry({
    clock,
    newId: () => `p${(ids += 1)}`,
    record: {
      begin: (id, { pid, session, command }) => void record.push(`begin ${id} ${pid} ${session} ${command}`),
      end: (id) => void record.push(`end ${id}`),
    },
    onEnd: (session, process) => void told.push(`${session} ${process.id} ${process.state().kind}`),
    limits,
    signal: live,
  });
  /** A command that ends when the test says so, or when it is told to. */
  const begin = (session = "here") => {
    const end = Promise.withResolvers<CommandResult>();
    const started: StartedCommand = {
      pid: 77,
      output: () => ({ stdout: "so far", stderr: "" }),
      write: (text) => written.push(text) > 0,
    };
    const process = registry.start({
      session,
      command: "make",
      run: (signal, onStart) => {
        onStart(started);
        signal.addEventListener("abort", () => end.reject(signal.reason), { once: true });
        return end.promise;
      },
    });
    const finish = async (): Promise<Process> => {
      end.resolve(RESULT);
      await process.wait(1, live);
      return process;
    };
    return { process, finish };
  };
  return { clock, registry, begin, told, record, written };
}

test("[TP4] one that ends within its call is not kept, and nobody is told", async () => {
  const { registry, begin, told, record } = setup();
  const { process, finish } = begin();
  expect(process.state()).toEqual({ kind: "running" });
  await finish();
  expect(process.state()).toMatchObject({ kind: "ended", result: RESULT });
  expect({ told, listed: registry.list("here") }).toEqual({ told: [], listed: [] });
  expect(record).toEqual(["begin p1 77 here make", "end p1"]);
});

test("[TP3] [TP4] one that goes on is its session's alone, and its end is told once", async () => {
  const { registry, begin, told } = setup();
  const { process, finish } = begin();
  process.leave();
  expect(registry.list("here").map(({ id }) => id)).toEqual(["p1"]);
  expect(process.output().stdout).toBe("so far");
  expect(registry.list("there")).toEqual([]);
  expect(() => registry.find("there", "p1")).toThrow(expect.objectContaining({ code: "process_not_found" }));
  await finish();
  expect(told).toEqual(["here p1 ended"]);
  expect(registry.find("here", "p1").output().stdout).toBe("all of it");
});

test("[TP4] what has ended is kept for half an hour, and only the last of it", async () => {
  const { clock, registry, begin } = setup({ ended: 2 });
  for (const _each of [1, 2, 3]) {
    const { process, finish } = begin();
    process.leave();
    await finish();
  }
  const ids = (): string[] => registry.list("here").map(({ id }) => id);
  expect(ids()).toEqual(["p2", "p3"]);
  await clock.advance(30 * 60_000 - 1);
  expect(ids()).toEqual(["p2", "p3"]);
  await clock.advance(1);
  expect(ids()).toEqual([]);
});

test("[TP4] a session, and all of them together, can have so many running", () => {
  const { begin } = setup({ runningInSession: 2, running: 3 });
  begin();
  begin();
  expect(() => begin()).toThrow(expect.objectContaining({ code: "too_many_processes" }));
  begin("there");
  expect(() => begin("elsewhere")).toThrow(expect.objectContaining({ code: "too_many_processes" }));
});

test("[TP3] a wait ends with the command, after its time, or with its signal, which leaves the command alone", async () => {
  const { clock, begin, told } = setup();
  const { process } = begin();
  process.leave();
  const waited = process.wait(5_000, live);
  await clock.advance(5_000);
  expect(await waited).toEqual({ kind: "running" });
  const stop = new AbortController();
  const stopped = process.wait(5_000, stop.signal);
  stop.abort(new Error("enough"));
  await expect(stopped).rejects.toThrow("enough");
  expect(process.state().kind).toBe("running");
  await process.kill();
  await process.kill();
  expect(process.state()).toMatchObject({ kind: "failed", error: { code: "process_killed" } });
  expect(process.write("late", "go_on")).toBe(false);
  // Whoever kills one knows that it has ended.
  expect(told).toEqual([]);
});

test("[TP4] with the registry, all that runs ends, and nobody is told of that", async () => {
  const { registry, begin, told, record } = setup();
  const { process } = begin();
  process.leave();
  await registry[Symbol.asyncDispose]();
  expect(process.state().kind).toBe("failed");
  expect(told).toEqual([]);
  expect(record.at(-1)).toBe("end p1");
  expect(() => begin()).toThrow();
});
