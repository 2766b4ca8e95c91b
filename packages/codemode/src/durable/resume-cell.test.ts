import { afterAll, expect, test } from "vitest";
import { createWorkerSandbox } from "../node/index.ts";
import {
  type BridgeCall,
  type CellOutcome,
  type CellSpec,
  DEFAULT_CELL_LIMITS,
  type RunningCell,
  type Settlement,
} from "../sandbox.ts";
import { type CellRecord, resumeCell } from "./resume-cell.ts";

const sandbox = createWorkerSandbox();
afterAll(() => sandbox[Symbol.asyncDispose]());

const never = new AbortController().signal;
const fingerprint = (call: BridgeCall): string => `${call.path} ${call.inputJson}`;
const TOOLS = ["a.get", "a.put"];

/** Sequential, concurrent, raced and refused calls, with state that only a VM can hold. */
const PROGRAM = `
  class Tally { #sum = 0; add(n) { this.#sum += n; return this.#sum; } }
  const tally = new Tally();
  console.log("begun");
  function* count() { let n = 0; while (true) yield n++; }
  const counter = count();
  const seen = [];
  for (const id of await tools.a.get({ what: "ids" })) {
    try { seen.push([id, counter.next().value, tally.add(await tools.a.put({ id }))]); }
    catch (error) { seen.push([id, error.code, error.message]); }
  }
  const all = await Promise.all([1, 2, 3].map((n) => tools.a.put({ n })));
  const racers = [tools.a.get({ race: 1 }), tools.a.get({ race: 2 })];
  const first = await Promise.race(racers);
  const both = await Promise.allSettled([...racers, tools.a.put({ n: 9 })]);
  return { seen, all, first, both: both.map((one) => one.status), sum: tally.add(0), random: Math.random(), at: Date.now() };
`;

/** The answers of the fake world, the same each time. */
function answer(call: BridgeCall, atMs: number): Settlement {
  const input = JSON.parse(call.inputJson);
  if (input.what === "ids") return { kind: "ok", json: "[7, 8, 9]", atMs };
  if (input.id === 8) return { kind: "error", code: "denied", message: "no", atMs };
  return { kind: "ok", json: String(input.id ?? input.n ?? input.race), atMs };
}

interface Told {
  readonly id: number;
  readonly settlement: Settlement;
}

/** Plays a cell to the end, or to the given number of settlements: the latest call is answered first. */
async function play(
  start: (onCall: (call: BridgeCall) => void) => RunningCell,
  told: Told[],
  until = Number.POSITIVE_INFINITY,
): Promise<{ readonly cell: RunningCell; readonly calls: readonly BridgeCall[] }> {
  const calls: BridgeCall[] = [];
  const open: BridgeCall[] = [];
  const cell = start((call) => {
    calls.push(call);
    open.push(call);
  });
  while (told.length < until && (await cell.quiet()) === "waiting") {
    const call = open.pop();
    if (call === undefined) break;
    const settlement = answer(call, 1_000 + told.length);
    told.push({ id: call.id, settlement });
    cell.settle(call.id, settlement);
  }
  await cell.quiet();
  return { cell, calls };
}

const specOf = (code: string, onCall: (call: BridgeCall) => void): CellSpec => ({
  code,
  toolPaths: TOOLS,
  limits: DEFAULT_CELL_LIMITS,
  startedAtMs: 500,
  seed: 42,
  onCall,
});
const fresh =
  (signal = never) =>
  (onCall: (call: BridgeCall) => void) =>
    sandbox.start(specOf(PROGRAM, onCall), signal);
const resumed =
  (record: CellRecord, code = PROGRAM) =>
  (onCall: (call: BridgeCall) => void) =>
    resumeCell(sandbox, specOf(code, onCall), record, fingerprint, never);

const recordOf = (calls: readonly BridgeCall[], settled: readonly Told[]): CellRecord => ({
  calls: new Map(calls.map((call) => [call.id, fingerprint(call)])),
  settled: [...settled],
});

async function undisturbed(): Promise<{ readonly outcome: CellOutcome; readonly settlements: number }> {
  const told: Told[] = [];
  const { cell } = await play(fresh(), told);
  return { outcome: await cell.outcome, settlements: told.length };
}

test("[C60] a cell interrupted after any settlement resumes and ends as if undisturbed", async () => {
  const { outcome, settlements } = await undisturbed();
  expect(outcome).toMatchObject({ kind: "completed" });
  for (let cut = 0; cut < settlements; cut++) {
    const told: Told[] = [];
    const stop = new AbortController();
    const before = await play(fresh(stop.signal), told, cut);
    stop.abort();
    const after = await play(resumed(recordOf(before.calls, told)), told);
    expect(await after.cell.outcome, `cut after ${cut}`).toEqual(outcome);
    const repeated = after.calls.filter((call) => told.slice(0, cut).some(({ id }) => id === call.id));
    expect(repeated, `cut after ${cut}`).toEqual([]);
  }
});

test("[C60] the same from an image, with settlements that came after it", async () => {
  const { outcome, settlements } = await undisturbed();
  for (let cut = 0; cut < settlements; cut += 2) {
    const told: Told[] = [];
    const stop = new AbortController();
    const before = await play(fresh(stop.signal), told, cut);
    const bytes = await before.cell.hibernate();
    if (bytes === undefined) throw new Error("It should be waiting");
    stop.abort();
    const record = { ...recordOf(before.calls, told), image: { after: cut, bytes } };
    const onward = await play(resumed(record), told);
    expect(await onward.cell.outcome, `image after ${cut}`).toEqual(outcome);
    const further = await play(resumed({ ...recordOf([], told), image: { after: cut, bytes } }), [...told]);
    expect(await further.cell.outcome, `image after ${cut}, all told`).toEqual(outcome);
  }
});

test("[C61] ignores an image of another engine and replays the record from the start", async () => {
  const { outcome } = await undisturbed();
  const told: Told[] = [];
  const stop = new AbortController();
  const before = await play(fresh(stop.signal), told, 3);
  stop.abort();
  const record = { ...recordOf(before.calls, told), image: { after: 3, bytes: new Uint8Array([1, 2, 3]) } };
  const after = await play(resumed(record), told);
  expect(await after.cell.outcome).toEqual(outcome);
});

test.each([
  ["asks for something else", PROGRAM.replace('what: "ids"', 'what: "more"'), "call 1"],
  ["asks for less", "return await tools.a.get({ what: 'ids' })", "call 2"],
  ["ends at once", "return 1", "call 1"],
  ["waits for another call first", `await tools.a.get({ x: 1 }); ${PROGRAM}`, "call 1"],
])("[C62] a program that %s has diverged, and none of its calls is passed on", async (_what, code, where) => {
  const told: Told[] = [];
  const stop = new AbortController();
  const before = await play(fresh(stop.signal), told, 4);
  stop.abort();
  const after = await play(resumed(recordOf(before.calls, told), code), [...told]);
  const outcome = await after.cell.outcome;
  expect(outcome).toMatchObject({ kind: "failed", failure: { code: "diverged" } });
  expect(outcome.kind === "failed" ? outcome.failure.message : "").toContain(where);
  expect(after.calls).toEqual([]);
});

test("[C62] a settlement after the program's end is not a divergence", async () => {
  const code = "tools.a.put({ n: 1 }); await tools.a.get({ race: 1 }); return 1";
  const calls = [
    { id: 1, path: "a.put", inputJson: '{"n":1}' },
    { id: 2, path: "a.get", inputJson: '{"race":1}' },
  ];
  const told = [...calls].reverse().map((call) => ({ id: call.id, settlement: answer(call, 1_000) }));
  const after = await play(resumed(recordOf(calls, told), code), told);
  expect(await after.cell.outcome).toMatchObject({ failure: { code: "unawaited_calls" } });
});

test("[C61] ignores an image that still waits for a recorded settlement", async () => {
  const { outcome } = await undisturbed();
  const told: Told[] = [];
  const stop = new AbortController();
  const before = await play(fresh(stop.signal), told, 2);
  const bytes = await before.cell.hibernate();
  stop.abort();
  if (bytes === undefined) throw new Error("It should be waiting");
  const [further] = before.calls.slice(-1);
  if (further === undefined) throw new Error("It should have made calls");
  told.push({ id: further.id, settlement: answer(further, 1_002) });
  const after = await play(resumed({ ...recordOf(before.calls, told), image: { after: 3, bytes } }), told);
  expect(await after.cell.outcome).toEqual(outcome);
});
