import type { ModelMessage, ToolResult } from "../model.ts";
import { isObject, listIn, textIn } from "../wire/json.ts";
import { hasDemoTools } from "./demo-tools.ts";
import type { NewTask } from "./later-request.ts";
import { METRICS_TOOLS } from "./measure-play.ts";
import { lastStep, resultIn } from "./play-step.ts";
import { HOW_TO_CONNECT, type RehearsalAnswer, reportProgram } from "./rehearsal-answer.ts";
import { MAIL_TOOLS } from "./judge-mail-play.ts";
import { amountWords } from "./spoken-amount.ts";

/** Where the demo's mailbox reports new mail. */
const DEMO_MAILBOX = "demo-mailbox";

/** Creates a task that runs later, and reads it back to the user. As in every play, only the messages decide. */
export function playNewTask(task: NewTask, since: readonly ModelMessage[]): RehearsalAnswer {
  const step = lastStep(since);
  const { query, paths } = task.what.kind === "spam" ? MAIL_TOOLS : METRICS_TOOLS;
  if (step === undefined) return { text: opening(task), call: { name: "search_tools", input: { query } } };
  if (step.name !== "search_tools") return { text: readBack(task, step.result) };
  return hasDemoTools(step.result, paths)
    ? { text: "This becomes a task. Creating it needs your approval.", call: creation(task) }
    : { text: NO_DEMO };
}

const NO_DEMO =
  "I can play this request only on the built-in demo, and it is not available: tools of your own have its " +
  `name, and I know nothing about them. ${HOW_TO_CONNECT}`;

function opening({ what, schedule, isTimeAssumed }: NewTask): string {
  const service = what.kind === "metrics" ? what.service : undefined;
  return [
    "I am the rehearsal model: not a language model, but a script that knows a few requests like this one.",
    what.kind === "spam"
      ? "I play it on the demo's mailbox, a small service on this machine, and know spam by a few phrases only."
      : "I play it on the demo's metrics, a small service on this machine.",
    ...(service === undefined || /^the /i.test(service) ? [] : [`They stand for ${service}.`]),
    ...(isTimeAssumed ? [`You named no time, so I take ${schedule}.`] : []),
    "First I search for tools.",
  ].join(" ");
}

function creation({ prompt, schedule }: NewTask) {
  const call =
    schedule === undefined
      ? `createEventTrigger(${JSON.stringify({ prompt, hook: DEMO_MAILBOX })})`
      : `createRecurring(${JSON.stringify({ prompt, schedule })})`;
  const code = `const { id, runs, next } = await tools.tasks.${call};\nreturn { id, runs, next };`;
  return { name: "run_code", input: { code } } as const;
}

function readBack(task: NewTask, result: ToolResult): string {
  const made = resultIn(result);
  const runs = isObject(made) ? textIn(made, "runs") : "";
  if (!isObject(made) || runs === "") return `${reportProgram(result)}\n\n${HOW_TO_CONNECT}`;
  const next = listIn(made, "next").flatMap((at) => (typeof at === "string" ? [at] : []));
  const zone = runs.split(", ").at(-1) ?? "";
  return [
    `The task is set. It runs ${runs}${next.length === 0 ? "." : "; the next times:"}`,
    ...next.map((at) => `- ${momentIn(at, zone)}`),
    "",
    `${eachTime(task)} It runs while \`deputy serve\` is running; \`deputy tasks cancel ${textIn(made, "id")}\` ends it.`,
  ].join("\n");
}

function eachTime({ what }: NewTask): string {
  if (what.kind === "spam")
    return "I delete mail that looks like spam after you approve it, and do not report other mail.";
  if (what.goal === undefined) return `Each time I tell you how many ${what.metric} there are.`;
  return `I stay silent until there are ${amountWords(what.goal)} ${what.metric}; then I tell you, and the task ends.`;
}

/** `Tue 17 Nov 2026, 09:00` in that time zone; unchanged if the zone does not exist. */
function momentIn(at: string, zone: string): string {
  try {
    return new Intl.DateTimeFormat("en-GB", {
      timeZone: zone,
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    }).format(Date.parse(at));
  } catch {
    return at;
  }
}
