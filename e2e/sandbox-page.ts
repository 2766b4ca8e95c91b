import type {
  BridgeCall,
  CellImage,
  CellLimits,
  CellOutcome,
  CellSpec,
  RunningCell,
  Sandbox,
  Settlement,
} from "@deputy/codemode";
import { createBrowserSandbox } from "@deputy/codemode/browser";
import { openProbeRange, probeFamilies } from "@deputy/testing/probes";

// The program of the page that browser-sandbox.security.test.ts opens: sandboxes, and a way in for the test.

/** What can be sent into the page; an image is a list of bytes. */
export type PageSpec = Omit<CellSpec, "onCall" | "image"> & { readonly image: readonly number[] | undefined };

export type SandboxPage = typeof api;

interface PageCell {
  readonly running: RunningCell;
  readonly stop: AbortController;
  /** Calls the test is being told of. */
  readonly told: Promise<void>[];
}

const sandboxes = new Map<number, Sandbox>();
const cells = new Map<number, PageCell>();

const of = <Value>(map: ReadonlyMap<number, Value>, id: number): Value => {
  const value = map.get(id);
  if (value === undefined) throw new Error(`There is no ${id}`);
  return value;
};

const open = (): Sandbox =>
  createBrowserSandbox({
    newWorker: () => new Worker("/sandbox-worker.js", { type: "module" }),
    loadEngine: async () => new Uint8Array(await (await fetch("/quickjs.wasm")).arrayBuffer()),
  });

/**
 * Limits as good as those a suite made for Node asks for: a stack so small that the engine's limit comes
 * before the browser's own, and more time, since here it passes while others compute.
 */
const suit = (limits: CellLimits): CellLimits => ({
  ...limits,
  stackBytes: Math.min(limits.stackBytes, 32 * 1024),
  cpuMs: limits.cpuMs * 4,
});

const openSuited = (): Sandbox => {
  const sandbox = open();
  return {
    start: (spec, signal) => sandbox.start({ ...spec, limits: suit(spec.limits) }, signal),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  };
};

const api = {
  open: (id: number, limits: "suited" | "as given"): void =>
    void sandboxes.set(id, limits === "suited" ? openSuited() : open()),
  async dispose(id: number): Promise<void> {
    await of(sandboxes, id)[Symbol.asyncDispose]();
  },
  start(sandbox: number, id: number, { image, ...spec }: PageSpec, aborted: boolean): void {
    const stop = new AbortController();
    if (aborted) stop.abort();
    const told: Promise<void>[] = [];
    const onCall = (call: BridgeCall): void => void told.push(globalThis.tellCall(id, call));
    const from: CellImage | undefined = image && Uint8Array.from(image);
    const running = of(sandboxes, sandbox).start({ ...spec, onCall, image: from }, stop.signal);
    cells.set(id, { running, stop, told });
  },
  settle: (id: number, call: number, settlement: Settlement): void =>
    of(cells, id).running.settle(call, settlement),
  abort: (id: number): void => of(cells, id).stop.abort(),
  quiet: (id: number): Promise<"waiting" | "ended"> => of(cells, id).running.quiet(),
  async hibernate(id: number): Promise<readonly number[] | undefined> {
    const image = await of(cells, id).running.hibernate();
    return image && [...image];
  },
  async outcome(id: number): Promise<CellOutcome> {
    const { running, told } = of(cells, id);
    const outcome = await running.outcome;
    await Promise.all(told);
    return outcome;
  },
  /** Fires some probes of a family, at most `count`, and says what was wrong with which. */
  async probe(
    name: string,
    count: number,
  ): Promise<{ readonly fired: number; readonly wrong: readonly string[] }> {
    const probes = probeFamilies.find((family) => family.name === name)?.probes ?? [];
    const every = Math.ceil(probes.length / count);
    const chosen = probes.filter((_, index) => index % every === 0);
    await using sandbox = openSuited();
    const range = await openProbeRange(sandbox);
    const wrong: string[] = [];
    for (const probe of chosen) {
      for (const problem of await range.fire(probe)) wrong.push(`${probe.title}: ${problem}`);
    }
    wrong.push(...(await range.close()));
    return { fired: chosen.length, wrong };
  },
};

declare global {
  // Given by the test.
  var tellCall: (cell: number, call: BridgeCall) => Promise<void>;
  var sandboxPage: SandboxPage;
}
globalThis.sandboxPage = api;
