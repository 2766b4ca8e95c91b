import type { Inspection } from "./soundness/inspect-store.ts";
import type { RepairReport } from "./soundness/repair.ts";

/** What an opening found. */
export interface OpenReport extends Omit<Inspection, "damage"> {
  /** Present when the log was damaged and repaired on the way. */
  readonly repaired?: RepairReport;
}
