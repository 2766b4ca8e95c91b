import { CompileFlags } from "quickjs-wasi";
import { compileScript } from "./engine.ts";
import { type GuestCell, startGuestCell } from "./guest-cell.ts";
import type { FromGuest, GuestSpec, Slice, ToGuest } from "./messages.ts";
import { PRELUDE } from "./prelude.ts";

/** The worker's end of the line to the host. */
export interface GuestPort {
  post(message: FromGuest): void;
  listen(receive: (message: ToGuest) => void): void;
}

/** Runs cells one after the other, each in a VM of its own. A worker's whole program. */
export function serveCells(port: GuestPort): void {
  let prelude: Promise<Uint8Array> | undefined;
  let current: { readonly number: number; readonly cell: GuestCell } | undefined;

  const answer = (number: number, slice: Slice): void => {
    if (slice.end !== undefined) current = undefined;
    port.post({ kind: "slice", cell: number, slice });
  };

  const start = async (number: number, module: WebAssembly.Module, spec: GuestSpec): Promise<void> => {
    try {
      prelude ??= compilePrelude(module, spec);
      const engine = { module, prelude: await prelude, nowMs: () => performance.now() };
      const { cell, slice } = await startGuestCell(engine, spec);
      current = cell === undefined ? undefined : { number, cell };
      answer(number, slice);
    } catch {
      answer(number, CRASHED);
    }
  };

  port.listen((message) => {
    if (message.kind === "start") void start(message.cell, message.module, message.spec);
    else if (message.cell === current?.number) {
      answer(message.cell, current.cell.settle(message.id, message.settlement));
    }
  });
  port.post({ kind: "ready" });
}

const CRASHED: Slice = {
  calls: [],
  usedMs: 0,
  logs: [],
  end: { kind: "failed", failure: { code: "sandbox_crashed", message: "The sandbox failed" } },
};

async function compilePrelude(module: WebAssembly.Module, spec: GuestSpec): Promise<Uint8Array> {
  const script = { text: PRELUDE, file: "deputy:prelude", flags: CompileFlags.STRIP_SOURCE };
  const compiled = await compileScript(module, spec.limits, script);
  if (compiled.kind !== "ok") throw new Error("The prelude does not compile");
  return compiled.bytecode;
}
