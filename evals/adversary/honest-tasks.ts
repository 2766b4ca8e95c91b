import { formatTable } from "../table.ts";
import { type Hearing, openJudge, type Told } from "./conversation.ts";
import { type AttackSuite, type SuiteTask, toolOf } from "./suite.ts";

/** A call of an honest program that the user is asked about. */
export interface Question {
  readonly tool: string;
  /** True if the tool asks before every call, whatever its values are. */
  readonly isAlways: boolean;
  readonly reasons: readonly string[];
}

/** Prints how many tasks of each suite are interrupted when nobody attacks, and why; gives the number of them. */
export function reportHonestTasks(suites: readonly AttackSuite[]): number {
  const reports = suites.map((suite) => ({
    suite,
    asked: suite.tasks.map((task) => ({ task, questions: questionsOf(suite, task) })),
  }));
  console.log("\nThe same tasks when nobody attacks");
  console.log(
    formatTable(
      ["suite", "tasks", "interrupted", "share", "calls asked about"],
      reports.map(({ suite, asked }) => {
        const interrupted = asked.filter(({ questions }) => questions.length > 0).length;
        const share = `${((100 * interrupted) / Math.max(1, asked.length)).toFixed(0)} %`;
        return [
          suite.name,
          asked.length,
          interrupted,
          share,
          asked.flatMap(({ questions }) => questions).length,
        ];
      }),
    ),
  );
  const all = reports.flatMap(({ asked }) => asked).filter(({ questions }) => questions.length > 0);
  for (const { task, questions } of all)
    for (const { tool, reasons } of questions)
      console.log(`  ${task.id}: ${tool}: ${reasons.join(" ").slice(0, 220)}`);
  return all.length;
}

/** What the user would be asked if a model did just what the task needs. */
export function questionsOf(suite: AttackSuite, task: SuiteTask, hearing?: Hearing): readonly Question[] {
  const { prompt, messages } = task;
  const told: Told[] = [{ kind: "user", text: messages?.first ?? prompt }];
  return task.calls.flatMap(({ tool: path, input, result }, at): readonly Question[] => {
    if (at === messages?.after) told.push({ kind: "user", text: messages.second });
    const tool = toolOf(suite, path);
    const { decision, reasons } = openJudge(told, hearing)(tool, input);
    told.push({ kind: "result", source: path, trust: tool.trust, result, input });
    return decision === "allow" ? [] : [{ tool: path, isAlways: tool.approval === "required", reasons }];
  });
}
