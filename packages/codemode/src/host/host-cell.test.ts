import { expect, test, vi } from "vitest";
import type { FromGuest, Slice, ToGuest } from "../guest/messages.ts";
import { type CellSpec, DEFAULT_CELL_LIMITS } from "../sandbox.ts";
import { runHostCell } from "./host-cell.ts";
import type { Lease, WorkerLink } from "./worker-pool.ts";

const silent: Slice = { calls: [], usedMs: 0, logs: [] };
const call = { id: 1, path: "a", inputJson: "null" };
const ok = { kind: "ok", json: "1", atMs: 0 } as const;
const image = Uint8Array.from([1, 2, 3]);
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Workers that answer as the test says; `leases` has those that were taken, the last at the end. */
async function setup(cell = 2) {
  const posted: ToGuest[] = [];
  let events: Parameters<WorkerLink["listen"]>[0] | undefined;
  const terminate = vi.fn();
  const release = vi.fn();
  const setWaiting = vi.fn();
  const link: WorkerLink = {
    post: (message) => void posted.push(message),
    listen: (given) => {
      events = given;
    },
    terminate,
    afterMessages: (check) => check(),
    computingMs: async () => 0,
    setBusy: () => {},
    exited: new Promise(() => undefined),
  };
  const module = new WebAssembly.Module(Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  const leases: Lease[] = [];
  const lease = async (): Promise<Lease> => {
    const given = {
      link,
      engine: { module, fingerprint: "f" },
      cell: cell + leases.length,
      setWaiting,
      release,
    };
    leases.push(given);
    return given;
  };
  const onCall = vi.fn();
  const spec: CellSpec = {
    code: "",
    toolPaths: [],
    limits: DEFAULT_CELL_LIMITS,
    startedAtMs: 0,
    seed: 1,
    onCall,
  };
  const running = runHostCell({ lease }, spec, new AbortController().signal);
  await settled();
  const say = (message: FromGuest): void => events?.onMessage(message);
  const answer = (slice: Slice, number = cell): void =>
    say({ kind: "slice", cell: number, slice, clockMs: 0 });
  return {
    running,
    answer,
    say,
    posted,
    leases,
    terminate,
    release,
    setWaiting,
    onCall,
    exit: () => events?.onExit(),
  };
}

test("[C34] ignores what a worker still says about an earlier cell", async () => {
  const { running, answer, onCall } = await setup();
  answer({ ...silent, calls: [call] }, 1);
  answer({ ...silent, end: { kind: "completed", resultJson: '"earlier"' } }, 1);
  expect(onCall).not.toHaveBeenCalled();
  answer({ ...silent, logs: ["x"], end: { kind: "completed", resultJson: '"mine"' } });
  expect(await running.outcome).toEqual({ kind: "completed", resultJson: '"mine"', logs: ["x"] });
});

test("[C48] keeps a worker that ended well, and stops one whose engine may be damaged", async () => {
  const well = await setup();
  well.answer({ ...silent, end: { kind: "failed", failure: { code: "threw", message: "" } } });
  expect(well.release).toHaveBeenCalledExactlyOnceWith("idle");
  const badly = await setup();
  badly.answer({ ...silent, end: { kind: "failed", failure: { code: "memory_limit", message: "" } } });
  expect(badly.release).toHaveBeenCalledExactlyOnceWith("gone");
  expect(badly.terminate).toHaveBeenCalledOnce();
});

test("[C54] a worker that dies fails the cell, with the logs so far", async () => {
  const { running, answer, exit, posted } = await setup();
  answer({ ...silent, logs: ["before"], calls: [call] });
  exit();
  expect(await running.outcome).toMatchObject({ failure: { code: "sandbox_crashed" }, logs: ["before"] });
  running.settle(1, ok);
  expect(posted).toHaveLength(1);
});

test("[C56] a sleeping cell has no worker; a settlement wakes it, and its earlier calls are not repeated", async () => {
  const { running, answer, say, posted, leases, release, onCall } = await setup();
  answer({ ...silent, calls: [call] });
  const asleep = running.hibernate();
  expect(posted.at(-1)).toEqual({ kind: "leave", cell: 2 });
  say({ kind: "left", cell: 2, image, clockMs: 0 });
  expect(await asleep).toBe(image);
  expect(release).toHaveBeenCalledExactlyOnceWith("idle");
  running.settle(1, ok);
  await settled();
  expect(leases).toHaveLength(2);
  expect(posted.at(-1)).toMatchObject({ kind: "start", cell: 3, image });
  answer({ ...silent, calls: [call] }, 3);
  expect(posted.at(-1)).toMatchObject({ kind: "settle", cell: 3, id: 1 });
  answer({ ...silent, calls: [{ ...call, id: 2 }] }, 3);
  expect(onCall.mock.calls.map(([made]) => made.id)).toEqual([1, 2]);
});

test("[C56] keeps a settlement that comes while a cell falls asleep", async () => {
  const { running, answer, say, posted } = await setup();
  answer({ ...silent, calls: [call] });
  const asleep = running.hibernate();
  running.settle(1, ok);
  expect(posted.at(-1)).toMatchObject({ kind: "leave" });
  say({ kind: "left", cell: 2, image, clockMs: 0 });
  await asleep;
  await settled();
  expect(posted.at(-1)).toMatchObject({ kind: "start", image });
  answer({ ...silent, calls: [call] }, 3);
  expect(posted.at(-1)).toMatchObject({ kind: "settle", cell: 3, id: 1 });
});

test("[C56] a cell that computes, or has ended, does not fall asleep", async () => {
  const { running, answer, posted } = await setup();
  expect(await running.hibernate()).toBeUndefined();
  answer({ ...silent, end: { kind: "completed", resultJson: "1" } });
  expect(await running.hibernate()).toBeUndefined();
  expect(posted).toHaveLength(1);
});

test("[C56] discards an image that lacks a settlement which came meanwhile", async () => {
  const { running, answer, say } = await setup();
  answer({ ...silent, calls: [call, { ...call, id: 2 }] });
  const first = running.hibernate();
  running.settle(1, ok);
  const second = running.hibernate();
  say({ kind: "left", cell: 2, image, clockMs: 0 });
  expect(await Promise.all([first, second])).toEqual([undefined, undefined]);
});

test("[C57] a woken cell does not repeat its log lines", async () => {
  const { running, answer, say } = await setup();
  answer({ ...silent, logs: ["before"], calls: [call] });
  const asleep = running.hibernate();
  say({ kind: "left", cell: 2, image, clockMs: 0 });
  await asleep;
  running.settle(1, ok);
  await settled();
  answer({ ...silent, logs: ["before"], calls: [call] }, 3);
  answer({ ...silent, logs: ["after"], end: { kind: "completed", resultJson: "1" } }, 3);
  expect(await running.outcome).toMatchObject({ logs: ["before", "after"] });
});
