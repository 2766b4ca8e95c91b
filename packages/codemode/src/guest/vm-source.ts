import type { BaseImage } from "./base-image.ts";
import { type EngineLimits, type GuestVm, openGuestVm, sameLimits } from "./engine.ts";
import { applyDelta, lengthOfDelta } from "./memory-delta.ts";

/** Provides the VMs of cells. */
export interface VmSource {
  /** A VM equal to the base image. */
  open(limits: EngineLimits): Promise<GuestVm>;
  /** A VM restored from a save; undefined for what was never saved, or exceeds the limits. */
  reopen(limits: EngineLimits, saved: SavedVm): Promise<GuestVm | undefined>;
}

export interface SavedVm {
  readonly limits: EngineLimits;
  /** The difference between its memory and the base image's. */
  readonly delta: Uint8Array;
}

interface Kept {
  readonly guest: GuestVm;
  readonly limits: EngineLimits;
  /** Its memory when it was new. */
  readonly memory: Uint8Array;
}

/**
 * Creating an instance of the engine is nearly the whole cost of starting a cell, so an instance released
 * whole is used again. Nothing of a cell reaches the next: all memory is overwritten, and the engine's only
 * other state is its stack pointer, which is back at its start once every call has returned. An instance
 * whose memory has grown is not kept, because it cannot shrink.
 */
export function createVmSource(module: WebAssembly.Module, { snapshot }: BaseImage): VmSource {
  let kept: Kept | undefined;

  const make = async (limits: EngineLimits): Promise<Kept> => {
    const guest = await openGuestVm(module, snapshot, limits);
    return { guest, limits, memory: guest.memory().slice() };
  };
  /** Its memory may come from any cell. */
  const take = async (limits: EngineLimits): Promise<Kept> => {
    const fit = kept !== undefined && sameLimits(kept.limits, limits) ? kept : undefined;
    kept = undefined;
    return fit ?? (await make(limits));
  };
  const lend = (one: Kept): GuestVm => ({
    ...one.guest,
    release(state) {
      if (state === "whole" && one.guest.memory().length === one.memory.length) kept = one;
      else one.guest.release(state);
    },
  });

  return {
    async open(limits) {
      const one = await take(limits);
      one.guest.memory().set(one.memory);
      return lend(one);
    },
    async reopen(limits, saved) {
      const length = lengthOfDelta(snapshot, saved.delta, limits.memoryBytes);
      if (length === undefined) return undefined;
      // State outside an instance's memory is set at creation: its size and its limits.
      if (length === snapshot.memory.length && sameLimits(saved.limits, limits)) {
        const one = await take(limits);
        applyDelta(snapshot, saved.delta, one.guest.memory());
        return lend(one);
      }
      const memory = new Uint8Array(length);
      applyDelta(snapshot, saved.delta, memory);
      return openGuestVm(module, { ...snapshot, memory }, limits);
    },
  };
}
