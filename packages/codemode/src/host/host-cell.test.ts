import { expect, test, vi } from "vitest";
import type { FromGuest, Slice, ToGuest } from "../guest/messages.ts";
import { type CellSpec, DEFAULT_CELL_LIMITS } from "../sandbox.ts";
import { runHostCell, type WorkerLink } from "./host-cell.ts";

const silent: Slice = { calls: [], usedMs: 0, logs: [] };
const call = { id: 1, path: "a", inputJson: "null" };

/** A worker that answers what the test tells it to. */
function setup(cell = 2) {
  const posted: ToGuest[] = [];
  let events: Parameters<WorkerLink["listen"]>[0] | undefined;
  const terminate = vi.fn();
  const link: WorkerLink = {
    post: (message) => void posted.push(message),
    listen: (given) => {
      events = given;
    },
    terminate,
    afterMessages: (check) => check(),
  };
  const onEnd = vi.fn();
  const onCall = vi.fn();
  const spec: CellSpec = {
    code: "",
    toolPaths: [],
    limits: DEFAULT_CELL_LIMITS,
    startedAtMs: 0,
    seed: 1,
    onCall,
  };
  const module = new WebAssembly.Module(Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
  const running = runHostCell({ link, module, cell }, spec, new AbortController().signal, onEnd);
  const answer = (slice: Slice, number = cell): void => {
    const message: FromGuest = { kind: "slice", cell: number, slice };
    events?.onMessage(message);
  };
  return { running, answer, posted, terminate, onEnd, onCall, exit: () => events?.onExit() };
}

test("[C34] what a worker still says about an earlier cell is not taken for this one's", async () => {
  const { running, answer, onCall } = setup();
  answer({ ...silent, calls: [call] }, 1);
  answer({ ...silent, end: { kind: "completed", resultJson: '"earlier"' } }, 1);
  expect(onCall).not.toHaveBeenCalled();
  answer({ ...silent, logs: ["x"], end: { kind: "completed", resultJson: '"mine"' } });
  expect(await running.outcome).toEqual({ kind: "completed", resultJson: '"mine"', logs: ["x"] });
});

test("[C48] a worker that ended well is idle; one whose engine may be damaged is stopped", async () => {
  const well = setup();
  well.answer({ ...silent, end: { kind: "failed", failure: { code: "threw", message: "" } } });
  expect(well.onEnd).toHaveBeenCalledExactlyOnceWith("idle");
  const badly = setup();
  badly.answer({ ...silent, end: { kind: "failed", failure: { code: "memory_limit", message: "" } } });
  expect(badly.onEnd).toHaveBeenCalledExactlyOnceWith("gone");
  expect(badly.terminate).toHaveBeenCalledOnce();
});

test("[C54] a worker that dies fails the cell, with the logs so far", async () => {
  const { running, answer, exit, posted } = setup();
  answer({ ...silent, logs: ["before"], calls: [call] });
  exit();
  expect(await running.outcome).toMatchObject({ failure: { code: "sandbox_crashed" }, logs: ["before"] });
  running.settle(1, { kind: "ok", json: "1", atMs: 0 });
  expect(posted).toHaveLength(1);
});
