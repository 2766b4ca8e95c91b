import type { ModelMessage } from "../model.ts";
import { countIn } from "../wire/json.ts";
import { hasDemoTools } from "./demo-tools.ts";
import type { MetricsRequest } from "./metrics-request.ts";
import { lastStep, resultIn } from "./play-step.ts";
import { HOW_TO_CONNECT, type RehearsalAnswer, reportProgram } from "./rehearsal-answer.ts";
import { amountWords } from "./spoken-amount.ts";
import type { TaskRun } from "./task-run.ts";

export const METRICS_TOOLS = {
  query: "metrics total visitors subscribers",
  paths: ["metrics.get_total"],
} as const;

/** Looks up a number. A task's run says nothing about a goal that is not reached; a reached goal ends the task. */
export function playMeasure(
  request: MetricsRequest,
  run: TaskRun | undefined,
  since: readonly ModelMessage[],
): RehearsalAnswer {
  const step = lastStep(since);
  if (step === undefined) {
    const { query } = METRICS_TOOLS;
    return { text: "", call: { name: "search_tools", input: { query } } };
  }
  if (step.name === "search_tools")
    return hasDemoTools(step.result, METRICS_TOOLS.paths)
      ? { text: "", call: { name: "run_code", input: { code: program(request, run) } } }
      : { text: NO_DEMO };
  const total = countIn(resultIn(step.result), "total");
  if (total === undefined) return { text: reportProgram(step.result) };
  const { goal } = request;
  if (run !== undefined && goal !== undefined && total < goal) return { text: run.silence };
  return { text: `${answer(request, total)}\n\n(By the rehearsal model, on demo data.)` };
}

const NO_DEMO = `I can look this up only in the metrics of the built-in demo, which are not available. ${HOW_TO_CONNECT}`;

function program({ metric, goal }: MetricsRequest, run: TaskRun | undefined): string {
  const finish =
    run === undefined || goal === undefined
      ? ""
      : `\nif (total >= ${goal}) await tools.tasks.finish({ reason: "There are ${amountWords(goal)} ${metric}" });`;
  return `const { total } = await tools.metrics.get_total({ name: ${JSON.stringify(metric)} });${finish}\nreturn { total };`;
}

function answer({ metric, goal }: MetricsRequest, total: number): string {
  const said = metric === "visitors" ? "Your site has had" : "You have";
  const now = `${said} ${amountWords(total)} ${metric}`;
  if (goal === undefined) return `${now} so far.`;
  return total < goal
    ? `Not yet: ${now} so far, of ${amountWords(goal)}.`
    : `${now}: the ${amountWords(goal)} have been reached.`;
}
