import { type Advance, openSqliteWorld, openWorkflows } from "@deputy/world";
import { pause, type Results, type Setting, untilDrained } from "./setting.ts";

const FIRINGS = 7;
const FIRINGS_PER_RUN = 3;
const SOON_MS = 40;
const LATE_MS = 3_600_000;

/** Tasks of all templates: approvals that are answered and that time out, firings, runs that are renewed. */
export async function runTasks({ path, count, outside, failpoint, onBug }: Setting): Promise<Results> {
  await using world = openSqliteWorld({ path, now: Date.now, failpoint, onBug });
  const advance: Advance = async ({ taskId, firingId, cause }) => {
    await outside.act(`${taskId}/${firingId}/${cause}`);
    const asks = firingId === "once" || firingId === "f2";
    if (asks && cause === "begin") {
      const timeoutMs = taskId.startsWith("late") ? SOON_MS : LATE_MS;
      return { kind: "waiting", approvalId: `${taskId}/${firingId}`, timeoutMs };
    }
    const stop = firingId === "once" || firingId === `f${FIRINGS - 1}`;
    // As in the log: that a task is over is known before its workflow knows it.
    if (stop) outside.note(`ended ${taskId}`);
    return { kind: "ended", outcome: "succeeded", stop };
  };
  const isOver = (task: string): boolean => outside.lines().includes(`ended ${task}`);
  const workflows = await openWorkflows({
    world,
    advance,
    onBug,
    signal: new AbortController().signal,
    firingsPerRun: FIRINGS_PER_RUN,
  });
  const names: string[] = [];
  for (let n = 0; n < count; n++) {
    const [once, late, often, event] = [`once${n}`, `late${n}`, `often${n}`, `event${n}`];
    names.push(once, late, often, event);
    const fire: typeof workflows.fire = async (template, task, firing) => {
      if (!isOver(task)) await workflows.fire(template, task, firing);
    };
    await fire("oneShot_v1", once, "only");
    await fire("oneShot_v1", late, "only");
    for (let f = 0; f < FIRINGS; f++) {
      await fire("recurring_v1", often, `f${f}`);
      await fire("eventTriggered_v1", event, `f${f}`);
      if (f === 3) await pause(20);
    }
    for (const task of [often, event]) await workflows.answered(`${task}/f2`);
    await workflows.answered(`${once}/once`);
  }
  while (!names.every(isOver) || workflows.open().length > 0) await pause(5);
  await untilDrained(world);
  await workflows[Symbol.asyncDispose]();
  const done = outside.lines();
  const did = (name: string): readonly string[] => done.filter((line) => line.startsWith(`${name}/`));
  return Object.fromEntries(names.map((name) => [name, did(name)]));
}
