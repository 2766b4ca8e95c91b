import { createBaseImage } from "./base-image.ts";
import { createCompiler } from "./compiler.ts";
import {
  type GuestCell,
  type GuestEngine,
  type GuestPlatform,
  resumeGuestCell,
  startGuestCell,
} from "./guest-cell.ts";
import type { EngineModule, FromGuest, Slice, ToGuest } from "./messages.ts";
import { createVmSource } from "./vm-source.ts";

/** The worker's side of the connection to the host. */
export interface GuestPort {
  post(message: FromGuest): void;
  listen(receive: (message: ToGuest) => void): void;
}

/** Runs cells one after the other, each in its own VM. This is a worker's whole program. */
export function serveCells(port: GuestPort, platform: GuestPlatform): void {
  const engines = createEngines(platform);
  let current: { readonly number: number; readonly cell: GuestCell } | undefined;

  const answer = (number: number, slice: Slice): void => {
    if (slice.end !== undefined) current = undefined;
    port.post({ kind: "slice", cell: number, slice, clockMs: platform.nowMs() });
  };

  const start = async ({ cell: number, engine, spec, image }: ToGuest & { kind: "start" }): Promise<void> => {
    try {
      const ready = await engines.of(engine, spec.limits.memoryBytes);
      const { cell, slice } = await (image === undefined
        ? startGuestCell(ready, spec)
        : resumeGuestCell(ready, spec, image));
      current = cell === undefined ? undefined : { number, cell };
      answer(number, slice);
    } catch {
      answer(number, CRASHED);
    }
  };

  port.listen((message) => {
    if (message.kind === "start") void start(message);
    else if (message.cell !== current?.number) return;
    else if (message.kind === "settle")
      answer(message.cell, current.cell.settle(message.id, message.settlement));
    else {
      const image = current.cell.leave();
      current = undefined;
      port.post({ kind: "left", cell: message.cell, image, clockMs: platform.nowMs() });
    }
  });
  port.post({ kind: "ready", clockMs: platform.nowMs() });
}

/**
 * One engine at a time: cells of one host rarely differ in their memory limit. Not compared by the module
 * itself, because every message brings a copy.
 */
function createEngines(platform: GuestPlatform) {
  let last: { readonly key: string; readonly engine: Promise<GuestEngine> } | undefined;

  const prepare = async (engine: EngineModule): Promise<GuestEngine> => {
    const { module } = engine;
    const base = await createBaseImage(engine);
    return { base, compiler: createCompiler(module), vms: createVmSource(module, base), platform };
  };
  return {
    of(engine: EngineModule, memoryBytes: number): Promise<GuestEngine> {
      const key = `${engine.fingerprint} ${memoryBytes}`;
      if (last?.key !== key) last = { key, engine: prepare(engine) };
      return last.engine;
    },
  };
}

const CRASHED: Slice = {
  calls: [],
  usedMs: 0,
  logs: [],
  end: { kind: "failed", failure: { code: "sandbox_crashed", message: "The sandbox failed" } },
};
