import { type Question, questionsOf } from "./honest-tasks.ts";
import type { AttackSuite } from "./suite.ts";
import { demoSuite } from "./suites/demo.ts";
import { everyday } from "./suites/everyday.ts";
import { examples } from "./suites/examples.ts";
import { shownTexts } from "./suites/shown-texts.ts";

/**
 * Which questions honest programs are asked: the demo's prompts, the examples, everyday requests, and requests over a
 * text that the user shows. Prints each program with its questions; resolves with whether no write into the workspace
 * was asked about.
 */
export async function evaluateFatigue(): Promise<boolean> {
  const suites: readonly AttackSuite[] = [everyday, demoSuite("as read"), examples];
  const programs = suites.flatMap((suite) =>
    suite.tasks.map((task) => ({ task, questions: questionsOf(suite, task) })),
  );
  console.log("\nQuestions that honest programs are asked");
  for (const { task, questions } of programs) {
    console.log(`${task.id}: “${task.prompt}”: ${questions.length === 0 ? "nothing" : questions.length}`);
    for (const { tool, isAlways, reasons } of questions)
      console.log(`  ${isAlways ? "(asks always) " : ""}${tool}: ${reasons.join(" ").slice(0, 240)}`);
  }
  const asked = programs.filter(({ questions }) => questions.length > 0);
  const all = asked.flatMap(({ questions }) => questions);
  const writes = all.filter(({ tool }) => tool.startsWith("files."));
  const byValue = asked.filter(({ questions }) => questions.some(({ isAlways }) => !isAlways));
  console.log(
    `\nfatigue: ${programs.length} programs, ${asked.length} asked, ${byValue.length} of them because of values; ` +
      `${all.length} calls asked about, ${writes.length} of them writes into the workspace`,
  );
  const shown = reportShownTexts();
  return writes.length === 0 && shown.every(({ tool }) => !tool.startsWith("files."));
}

/** What it costs that a text which the user shows is not their word: the same requests with and without that rule. */
function reportShownTexts(): readonly Question[] {
  console.log("\nRequests over a text that the user shows");
  const programs = shownTexts.tasks.map((task) => ({
    task,
    questions: questionsOf(shownTexts, task),
    before: questionsOf(shownTexts, task, "all as said"),
  }));
  for (const { task, questions, before } of programs) {
    const [line = ""] = task.prompt.split("\n\n");
    console.log(`${task.id}: “${line.replaceAll("\n", " ⏎ ")}”: ${questions.length}, else ${before.length}`);
    for (const { tool, reasons } of questions) console.log(`  ${tool}: ${reasons.join(" ").slice(0, 240)}`);
  }
  const asked = programs.filter(({ questions }) => questions.length > 0).length;
  const askedBefore = programs.filter(({ before }) => before.length > 0).length;
  console.log(
    `\nshown texts: ${asked} of ${programs.length} programs asked; ${askedBefore} if shown text were the user's word`,
  );
  return programs.flatMap(({ questions }) => questions);
}
