import type { ModelMessage, ToolResult } from "../model.ts";
import { isObject, type JsonObject, listIn, parseJson, textIn } from "../wire/json.ts";
import { hasDemoTools } from "./demo-tools.ts";
import { lastStep, resultIn } from "./play-step.ts";
import { HOW_TO_CONNECT, type RehearsalAnswer, reportProgram } from "./rehearsal-answer.ts";
import type { TaskRun } from "./task-run.ts";

export const MAIL_TOOLS = {
  query: "mail messages get delete",
  paths: ["mail.messages.get", "mail.messages.delete"],
} as const;

/** Not a model: a mail with two of these phrases counts as spam. */
const SIGNS = [
  "100% free",
  "act now",
  "claim your prize",
  "click here",
  "limited time",
  "lottery",
  "no risk",
  "risk-free",
  "you have won",
  "you have been selected",
];

/** Judges the mail in the report. `report` is the message before the run's own. */
export function playJudgeMail(run: TaskRun, report: string, since: readonly ModelMessage[]): RehearsalAnswer {
  const step = lastStep(since);
  if (step?.name === "run_code") return { text: outcomeOf(run, step.result) };
  const id = mailIn(report);
  if (id === undefined) return { text: "The report is not a mail of the demo mailbox, so I do nothing." };
  if (step === undefined) {
    const { query } = MAIL_TOOLS;
    return { text: "", call: { name: "search_tools", input: { query } } };
  }
  return hasDemoTools(step.result, MAIL_TOOLS.paths)
    ? { text: "", call: { name: "run_code", input: { code: program(id) } } }
    : {
        text: `I can do this only in the mailbox of the built-in demo, which is not available. ${HOW_TO_CONNECT}`,
      };
}

/** The report quotes what the mailbox wrote: JSON with the mail's id. */
function mailIn(report: string): string | undefined {
  const [from, until] = [report.indexOf("{"), report.lastIndexOf("}")];
  const mail = parseJson(report.slice(from, until + 1));
  const id = isObject(mail) ? textIn(mail, "id") : "";
  return id === "" ? undefined : id;
}

function program(id: string): string {
  return `const signs = ${JSON.stringify(SIGNS)};
const { id, from, subject, text } = await tools.mail.messages.get({ id: ${JSON.stringify(id)} });
const words = \`\${subject} \${text}\`.toLowerCase();
const found = signs.filter((sign) => words.includes(sign));
if (found.length < 2) return { from, subject, found, outcome: "kept" };
try {
  await tools.mail.messages.delete({ id, subject });
  return { from, subject, found, outcome: "deleted" };
} catch (error) {
  return { from, subject, found, outcome: "refused", why: (error as ToolError).message };
}`;
}

function outcomeOf(run: TaskRun, result: ToolResult): string {
  const judged = resultIn(result);
  const outcome = isObject(judged) ? textIn(judged, "outcome") : "";
  if (!isObject(judged) || outcome === "") return reportProgram(result);
  if (outcome === "kept") return run.silence;
  const mail = `“${textIn(judged, "subject")}” from ${textIn(judged, "from")}`;
  const why = `it contains ${signsOf(judged)}`;
  return outcome === "deleted"
    ? `Deleted ${mail}: ${why}.`
    : `${mail} looks like spam, because ${why}, but it stays: ${textIn(judged, "why")}`;
}

function signsOf(judged: JsonObject): string {
  return listIn(judged, "found")
    .map((sign) => `“${String(sign)}”`)
    .join(" and ");
}
