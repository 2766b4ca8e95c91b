import { type MetricsRequest, parseMetrics } from "./metrics-request.ts";
import { plainRequest } from "./plain-request.ts";
import { parseSpam, type SpamRequest } from "./spam-request.ts";
import { takeWhen } from "./spoken-when.ts";
import { readTaskRun, type TaskRun } from "./task-run.ts";

/** The other examples of the tour: what is done later, again and again, or when something comes. */
export type LaterRequest =
  | NewTask
  | { readonly kind: "measure"; readonly request: MetricsRequest; readonly run: TaskRun | undefined }
  | { readonly kind: "judge"; readonly run: TaskRun };

/** A task is to be made. */
export interface NewTask {
  readonly kind: "set";
  readonly what: MetricsRequest | SpamRequest;
  /** As schedules are written; undefined when it is mail that makes it run. */
  readonly schedule: string | undefined;
  /** The user named no time, and this one was taken. */
  readonly isTimeAssumed: boolean;
  /** What is left to be done each time. */
  readonly prompt: string;
}

const ASSUMED = "every day at 9am";

/** Undefined for everything that is not exactly one of these requests, in one of a few phrasings. */
export function parseLater(message: string): LaterRequest | undefined {
  const run = readTaskRun(message);
  const text = plainRequest(run?.prompt ?? message);
  const spoken = text === undefined ? undefined : takeWhen(text);
  if (spoken === undefined) return undefined;
  const metrics = parseMetrics(spoken.rest);
  if (metrics !== undefined) {
    const isNow = run !== undefined || (spoken.when === undefined && metrics.asks === "now");
    if (isNow) return { kind: "measure", request: metrics, run };
    const { when: schedule = ASSUMED, rest: prompt } = spoken;
    return { kind: "set", what: metrics, schedule, isTimeAssumed: spoken.when === undefined, prompt };
  }
  const spam = spoken.when === undefined ? parseSpam(spoken.rest) : undefined;
  if (spam === undefined) return undefined;
  if (run !== undefined) return { kind: "judge", run };
  const { withoutTrigger } = spam;
  if (withoutTrigger === undefined) return undefined;
  return { kind: "set", what: spam, schedule: undefined, isTimeAssumed: false, prompt: withoutTrigger };
}
