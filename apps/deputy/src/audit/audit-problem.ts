import type { Damage } from "@deputy/protocol";
import type { DailyFinding } from "@deputy/store/daily";

/** One problem, with its place, what is still safe, and what to do. */
export interface AuditProblem {
  readonly where: "log" | "daily" | "anchor";
  readonly kind: string;
  readonly stream?: string;
  readonly seq?: number;
  /** The daily file, and the line in it, counted from 1. */
  readonly file?: string;
  readonly line?: number;
  readonly message: string;
  readonly safe: string;
  readonly todo: string;
}

export function logProblem(damage: Damage): AuditProblem {
  return {
    where: "log",
    ...damage,
    safe: "Nothing was changed, and every event of the log not named here verifies.",
    todo: "`deputy audit repair` keeps what is sound, takes the rest from the daily files, puts the damaged files aside and records the loss.",
  };
}

export function dailyProblem(finding: DailyFinding): AuditProblem {
  return {
    where: "daily",
    ...finding,
    message: `${finding.file}: ${finding.message}`,
    safe: "The daily files are made from the log, which was checked by itself.",
    todo:
      finding.kind === "extra"
        ? "It may be all that is left of the event: if the log has problems too, `deputy audit repair` takes it from there. Else `deputy audit rebuild-daily` writes the files again and keeps these aside."
        : "`deputy audit rebuild-daily` writes the files again and keeps these aside.",
  };
}
