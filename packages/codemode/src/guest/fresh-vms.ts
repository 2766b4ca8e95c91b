import type { BaseImage } from "./base-image.ts";
import { type EngineLimits, type GuestVm, openGuestVm, sameLimits } from "./engine.ts";

/** VMs for new cells, each the very copy of the base image. */
export interface FreshVms {
  open(limits: EngineLimits): Promise<GuestVm>;
}

interface Kept {
  readonly guest: GuestVm;
  readonly limits: EngineLimits;
  /** Its memory when it was new. */
  readonly memory: Uint8Array;
}

/**
 * Making an instance of the engine is nearly all that starting a cell costs, so a VM that is released
 * whole is used again. Nothing of a cell is left in it: all its memory is written over, and all else that
 * the engine has is the stack pointer, which is where it was once every call has returned. A VM that has
 * grown is not kept, for a memory never shrinks.
 */
export function createFreshVms(module: WebAssembly.Module, base: BaseImage): FreshVms {
  let kept: Kept | undefined;

  const openNew = async (limits: EngineLimits): Promise<Kept> => {
    const guest = await openGuestVm(module, base.snapshot, limits);
    // The wrapper makes these when they are first asked for, and remembers where they are.
    for (const name of ["undefined", "null", "true", "false", "global"] as const) void guest.vm[name];
    return { guest, limits, memory: guest.memory().slice() };
  };
  const release = (one: Kept): void => {
    const memory = one.guest.memory();
    if (memory.length !== one.memory.length) {
      one.guest.release("whole");
      return;
    }
    memory.set(one.memory);
    kept = one;
  };

  return {
    async open(limits) {
      const fit = kept !== undefined && sameLimits(kept.limits, limits) ? kept : undefined;
      kept = undefined;
      const opened = fit ?? (await openNew(limits));
      return {
        ...opened.guest,
        release: (state) => (state === "whole" ? release(opened) : opened.guest.release(state)),
      };
    },
  };
}
