import { questionsOf } from "./honest-tasks.ts";
import type { AttackSuite } from "./suite.ts";
import { demoSuite } from "./suites/demo.ts";
import { everyday } from "./suites/everyday.ts";
import { examples } from "./suites/examples.ts";

/**
 * Which questions honest programs are asked: the demo's prompts, the examples and everyday requests. Prints each
 * program with its questions; resolves with whether no write into the workspace was asked about.
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
  return writes.length === 0;
}
