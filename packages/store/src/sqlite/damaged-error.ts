import type { Damage } from "@deputy/protocol";
import { StoreError } from "./store-error.ts";

/** Findings spelled out in a message; `deputy audit verify` lists the rest. */
const SPELLED_OUT = 3;

/** Says what was lost, what is safe, and what to do next. */
export function damagedError(directory: string, damage: readonly Damage[]): StoreError {
  return new StoreError(
    "log_damaged",
    `The log in ${directory} is damaged: ${describeDamage(damage)}. ` +
      "Nothing was changed, and every event that verifies can still be read.",
    {
      hint: "`deputy audit verify` lists all of it; `deputy audit repair` keeps what is sound and puts the damaged files aside.",
    },
  );
}

export function describeDamage(damage: readonly Damage[]): string {
  const spelled = damage.slice(0, SPELLED_OUT).map((one) => one.message);
  const rest = damage.length - spelled.length;
  return spelled.join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
