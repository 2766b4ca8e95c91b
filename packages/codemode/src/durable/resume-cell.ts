import type {
  BridgeCall,
  CellFailureCode,
  CellImage,
  CellOutcome,
  CellSpec,
  RunningCell,
  Sandbox,
  Settlement,
} from "../sandbox.ts";

/** What is known of a cell that an earlier process ran. */
export interface CellRecord {
  /** Calls that were made, by id and `fingerprint`, including those in flight. */
  readonly calls: ReadonlyMap<number, string>;
  /** The settlements that the cell got, in order. */
  readonly settled: readonly { readonly id: number; readonly settlement: Settlement }[];
  /** Taken after the first `after` settlements. */
  readonly image?: { readonly after: number; readonly bytes: CellImage } | undefined;
}

/** The same for the same call in every process. Must not reject. */
export type Fingerprint = (call: BridgeCall) => string | Promise<string>;

/**
 * Continues a cell where its record ends: from the image if this engine can use it, otherwise by running the
 * code again with the recorded settlements. `onCall` gets only calls without a recorded settlement, and only
 * after all recorded ones were replayed. A program that makes other calls than the record says fails with
 * `diverged`, and none of its calls was passed on.
 */
export function resumeCell(
  sandbox: Sandbox,
  spec: CellSpec,
  record: CellRecord,
  fingerprint: Fingerprint,
  signal: AbortSignal,
): RunningCell {
  const live = Promise.withResolvers<RunningCell | undefined>();
  let current: RunningCell | undefined;

  const goLive = (cell: RunningCell): void => {
    current = cell;
    live.resolve(cell);
  };
  const run = async (): Promise<CellOutcome> => {
    if (record.image !== undefined) {
      const outcome = await retell(sandbox, spec, record, fingerprint, goLive, signal);
      if (outcome.kind === "completed" || outcome.failure.code !== "image_unusable") return outcome;
    }
    return retell(sandbox, spec, { ...record, image: undefined }, fingerprint, goLive, signal);
  };
  const outcome = run().finally(() => live.resolve(undefined));

  return {
    settle: (id, settlement) => current?.settle(id, settlement),
    hibernate: async () => current?.hibernate(),
    quiet: async () => (await live.promise)?.quiet() ?? "ended",
    outcome,
  };
}

/** Ends for these reasons say nothing about the program's calls. */
const OF_THE_HOST: ReadonlySet<CellFailureCode> = new Set([
  "aborted",
  "image_unusable",
  "sandbox_crashed",
  "time_limit",
]);

async function retell(
  sandbox: Sandbox,
  spec: CellSpec,
  record: CellRecord,
  fingerprint: Fingerprint,
  onLive: (cell: RunningCell) => void,
  signal: AbortSignal,
): Promise<CellOutcome> {
  const { settled, image } = record;
  const after = image?.after ?? 0;
  const known = new Set(settled.slice(0, after).map(({ id }) => id));
  const stop = new AbortController();
  const held: BridgeCall[] = [];
  let isLive = false;
  let difference: string | undefined;

  const comparing: Promise<void>[] = [];

  const compare = async (call: BridgeCall, expected: string): Promise<void> => {
    if (expected !== (await fingerprint(call))) {
      difference ??= `its call ${call.id} is another one, of ${call.path}`;
    }
  };
  /** Compares every call that it has made by then. */
  const quiet = async (): ReturnType<RunningCell["quiet"]> => {
    const state = await cell.quiet();
    await Promise.all(comparing);
    return state;
  };
  const onCall = (call: BridgeCall): void => {
    const expected = record.calls.get(call.id);
    if (expected !== undefined) comparing.push(compare(call, expected));
    known.add(call.id);
    if (isLive) spec.onCall(call);
    else held.push(call);
  };
  /** An image that waits for a recorded settlement does not belong to this record. */
  const isOfAnother = (): boolean => {
    const told = new Set(settled.slice(0, after).map(({ id }) => id));
    return held.some(({ id }) => told.has(id));
  };
  const cell = sandbox.start(
    { ...spec, image: image?.bytes, onCall },
    AbortSignal.any([signal, stop.signal]),
  );

  await quiet();
  if (image !== undefined && isOfAnother()) {
    stop.abort();
    const { logs } = await cell.outcome;
    const message = "The image does not fit the record";
    return { kind: "failed", failure: { code: "image_unusable", message }, logs };
  }
  for (const { id, settlement } of settled.slice(after)) {
    const state = await quiet();
    if (difference !== undefined || state === "ended" || !known.has(id)) break;
    cell.settle(id, settlement);
  }
  const state = await quiet();
  const recorded = [...record.calls.keys(), ...settled.map(({ id }) => id)];
  const missing = recorded.find((id) => !known.has(id));
  if (missing !== undefined) difference ??= `it does not make its call ${missing}`;

  if (difference !== undefined) {
    if (state === "ended" && isOfTheHost(await cell.outcome)) return cell.outcome;
    stop.abort();
    const { logs } = await cell.outcome;
    const message = `Run again, the program did not do what the record says it did: ${difference}. Nothing was repeated.`;
    return { kind: "failed", failure: { code: "diverged", message }, logs };
  }
  if (state === "waiting") {
    const told = new Set(settled.map(({ id }) => id));
    onLive(cell);
    isLive = true;
    for (const call of held) if (!told.has(call.id)) spec.onCall(call);
  }
  return cell.outcome;
}

function isOfTheHost(outcome: CellOutcome): boolean {
  return outcome.kind === "failed" && OF_THE_HOST.has(outcome.failure.code);
}
