import { type MetricsRequest, parseMetrics } from "./metrics-request.ts";
import { plainRequest, POLITE } from "./plain-request.ts";
import { takeWhen } from "./spoken-when.ts";
import { readTaskRun, type TaskRun } from "./task-run.ts";

const MAIL = "(?:(?:an?|any|a new|another|new) )?(?:e-?mails?|mails?)";

const TRIGGER = [
  "(?:when|whenever|each time|every time|as soon as|if)",
  `(?:(?:i|we) (?:get|receive) ${MAIL}|${MAIL} (?:arrives?|comes?(?: in)?))`,
].join(" ");

const IT_IS = "(?:it's|it is|that is|the e-?mail is|the mail is)";

const SPAM = "(?:spam|junk)(?: mail)?";

const IF_SO = `(?:if ${IT_IS}(?: ${SPAM})?|if so|if yes)`;

const DELETE = "(?:delete|remove|trash) (?:it|the e-?mail|the mail)";

const WORK = [
  `check (?:if|whether) ${IT_IS} ${SPAM}(?: or not)?(?:,| and|, and) (?:${IF_SO},? (?:please )?${DELETE}|${DELETE} ${IF_SO})`,
  `${DELETE} ${IF_SO}`,
  `${IF_SO},? ${DELETE}`,
].join("|");

const BEFORE = new RegExp(
  `^${POLITE}(?:(?<trigger>${TRIGGER})(?:,|, please| please)? )?(?<work>${WORK})$`,
  "i",
);

const AFTER = new RegExp(`^${POLITE}(?<work>${WORK}),? (?<trigger>${TRIGGER})$`, "i");

/** The tour's other examples: work that is done later, repeatedly, or when something arrives. */
export type LaterRequest =
  | NewTask
  | { readonly kind: "measure"; readonly request: MetricsRequest; readonly run: TaskRun | undefined }
  | { readonly kind: "judge"; readonly run: TaskRun };

/** Asks for a new task. */
export interface NewTask {
  readonly kind: "set";
  readonly what: MetricsRequest | SpamRequest;
  /** In a schedule's own syntax; undefined if mail starts it. */
  readonly schedule: string | undefined;
  /** True if the user named no time, and this one was assumed. */
  readonly isTimeAssumed: boolean;
  /** The rest of the request, done each time. */
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

/** Delete spam among incoming mail. */
interface SpamRequest {
  readonly kind: "spam";
  /** What to do with each mail; undefined if the request does not mention incoming mail. */
  readonly withoutTrigger: string | undefined;
}

/** The whole text must be this, in one of a few phrasings; see `parseCloseIssues`. */
function parseSpam(text: string): SpamRequest | undefined {
  const found = (BEFORE.exec(text) ?? AFTER.exec(text))?.groups;
  if (found === undefined) return undefined;
  return { kind: "spam", withoutTrigger: found["trigger"] === undefined ? undefined : found["work"] };
}
