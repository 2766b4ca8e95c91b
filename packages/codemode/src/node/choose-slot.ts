import type { CheckSlot } from "./check-slot.ts";

/** What the choice depends on. */
export type SlotState = Pick<CheckSlot, "isBusy" | "catalogues" | "has">;

/**
 * Where a check goes now, if anywhere. First choice is a free process that has its catalogue. While a
 * busy one has it, a patient check waits. Then the free process with fewest catalogues, a new one before
 * one that must give a catalogue up.
 */
export function chooseSlot<Slot extends SlotState>(
  slots: readonly Slot[],
  check: { readonly declarations: string; readonly isPatient: boolean },
  maxCatalogues: number,
): Slot | undefined {
  const free = slots.filter((slot) => !slot.isBusy);
  const loaded = free.find((slot) => slot.has(check.declarations));
  if (loaded !== undefined) return loaded;
  if (check.isPatient && slots.some((slot) => slot.isBusy && slot.has(check.declarations))) return undefined;
  const cost = ({ catalogues }: Slot): number => catalogues ?? maxCatalogues - 0.5;
  return free.toSorted((a, b) => cost(a) - cost(b))[0];
}
