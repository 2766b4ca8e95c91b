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
    return { kind: "ended", outcome: "succeeded", stop: firingId === `f${FIRINGS - 1}` };
  };
  const ended = new Map<string, unknown>();
  const earlier = outside.lines().filter((line) => line.startsWith("ended "));
  for (const [, task = "", end = ""] of earlier.map((line) => line.split(" ")))
    ended.set(task, JSON.parse(end));
  const workflows = await openWorkflows({
    world,
    advance,
    async onEnded(task, end) {
      outside.note(`ended ${task} ${JSON.stringify(end)}`);
      ended.set(task, end);
    },
    onBug,
    signal: new AbortController().signal,
    firingsPerRun: FIRINGS_PER_RUN,
  });
  const names: string[] = [];
  for (let n = 0; n < count; n++) {
    const [once, late, often, event] = [`once${n}`, `late${n}`, `often${n}`, `event${n}`];
    names.push(once, late, often, event);
    await workflows.start("oneShot_v1", once);
    await workflows.start("oneShot_v1", late);
    await workflows.start("recurring_v1", often);
    await workflows.start("eventTriggered_v1", event);
    for (let f = 0; f < FIRINGS; f++) {
      await workflows.fire(often, `f${f}`);
      await workflows.fire(event, `f${f}`);
      if (f === 3) await pause(20);
    }
    for (const task of [often, event]) await workflows.answered(`${task}/f2`);
    await workflows.answered(`${once}/once`);
  }
  while (!names.every((name) => ended.has(name))) await pause(5);
  await untilDrained(world);
  await workflows[Symbol.asyncDispose]();
  const done = outside.lines();
  const did = (name: string): readonly string[] => done.filter((line) => line.startsWith(`${name}/`));
  return Object.fromEntries(names.map((name) => [name, { end: ended.get(name), did: did(name) }]));
}
