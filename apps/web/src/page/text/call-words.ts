import type { Call, Cell } from "../stores/transcript-rows.ts";
import { duration } from "./times.ts";

const STATUS = {
  decided: "decided",
  running: "running",
  succeeded: "done",
  failed: "failed",
  unknown: "unknown whether it took effect",
} as const;

/** What became of a call, how long it took, and how it was decided. One that was denied did not run, and took no time. */
export function callStatus(call: Call, { questions }: Pick<Cell, "questions">): string {
  const { decision, status, durationMs } = call;
  // Answered questions are called “decided”, and look otherwise.
  if (decision === "ask" && status === "decided" && questions.length > 0) return "waits for an answer";
  if (status === "denied") return decision === "deny" ? "refused" : "denied";
  return [
    STATUS[status],
    ...(durationMs === undefined ? [] : [duration(durationMs)]),
    ...(decision === undefined ? [] : [decided(call)]),
  ].join(" · ");
}

/** A reader knows a yes of their own again, also where one yes was for many calls. */
function decided({ decision, isGranted, status }: Call): string {
  if (decision === "ask") return status === "decided" ? "asked you" : "approved";
  if (decision === "deny") return "refused";
  return isGranted === true ? "approved" : "allowed";
}

/** Why a program failed: in words for the reader where it stopped at a call that was denied. */
export function cellFailure({ error, calls }: Pick<Cell, "error" | "calls">): string | undefined {
  const denied = calls.findLast(({ status }) => status === "denied");
  if (error === undefined || denied?.error === undefined || !error.startsWith(denied.error)) return error;
  return `The program stopped there, because ${denied.toolPath} was ${denied.decision === "deny" ? "refused" : "denied"}.`;
}
