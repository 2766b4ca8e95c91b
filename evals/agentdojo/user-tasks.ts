import { hasWorld, openSession, type SessionSetup } from "./run-session.ts";
import { isSameState, stateAfter } from "./state-after.ts";
import { defaultsOf, fillVectors, type Suite, type UserTask } from "./suite.ts";

/** How often the user would have been asked over a task's right calls. */
export interface TaskReport {
  readonly task: string;
  readonly writes: number;
  /** Why each held call was held. */
  readonly held: readonly string[];
  /** Reads whose result, and ends whose state, are not as recorded. */
  readonly differences: readonly string[];
}

export function runUserTask(
  suiteName: string,
  suite: Suite,
  task: UserTask,
  relabel?: SessionSetup["relabel"],
): TaskReport {
  const textOf = defaultsOf(suite);
  const setup = { suiteName, suite, prompt: task.prompt, textOf };
  const session = openSession(relabel === undefined ? setup : { ...setup, relabel });
  const before = structuredClone(session.environment);
  const held: string[] = [];
  const differences: string[] = [];
  let writes = 0;
  for (const call of task.calls) {
    const isRead = suite.tools.find(({ name }) => name === call.function)?.effect === "read";
    const decision = session.decide(call);
    if (!isRead) writes += 1;
    if (decision.decision !== "allow") held.push(`${call.function}: ${decision.reasons.join(" ")}`);
    const result = session.make(call);
    const recorded = fillVectors(call.result_template ?? null, textOf);
    if (isRead && !isSameState(result, recorded)) differences.push(`${task.id}: ${call.function}`);
  }
  const expected = stateAfter(before, task.state_diff ?? []);
  if (hasWorld(suiteName) && !isSameState(session.environment, fillVectors(expected, textOf)))
    differences.push(`${task.id}: the state it leaves`);
  return { task: `${suiteName} ${task.id}`, writes, held, differences };
}
