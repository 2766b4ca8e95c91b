import type { Event } from "@deputy/world/core";
import { openSqliteWorld } from "@deputy/world";

const ENDS: Readonly<Record<string, string>> = {
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
};

/** What does not fit together in a World's file: entities without their events, steps that ended twice, leftovers. */
export async function inspectWorld(path: string): Promise<readonly string[]> {
  const bugs: string[] = [];
  const onBug = (error: unknown): void => void bugs.push(String(error));
  await using world = openSqliteWorld({ path, now: Date.now, onBug });
  const { store } = world.parts;
  const faults: string[] = [];
  const idsOf = (table: string): readonly { readonly run: string; readonly id: string }[] =>
    store.db
      .sql(`SELECT run, id FROM ${table}`)
      .all()
      .map((row) => ({ run: String(row["run"]), id: String(row["id"]) }));
  const left = store.db.sql("SELECT count(*) AS n FROM queue").get()?.["n"];
  if (left !== 0) faults.push(`${String(left)} messages are left in the queue`);
  for (const table of ["waits", "hooks"])
    for (const { run, id } of idsOf(table)) faults.push(`${run} has ended, and left ${id} in ${table}`);

  const { data: runs } = await world.runs.list({ pagination: { limit: 1_000 } });
  for (const run of runs) {
    const { data: events } = store.events.list(run.runId);
    const count = (type: Event["eventType"], correlation?: string): number =>
      events.filter((event) => event.eventType === type && event.correlationId === correlation).length;
    const expect = (type: string, times: number, correlation?: string): void => {
      const found = count(type as Event["eventType"], correlation);
      if (found !== times) faults.push(`${run.runId} has ${found} ${type} for ${correlation ?? "itself"}`);
    };
    expect("run_created", 1);
    expect("run_started", 1);
    expect(`run_${ENDS[run.status] ?? "completed"}`, 1);
    for (const { id } of idsOf("steps").filter((step) => step.run === run.runId)) {
      const step = store.steps.get(run.runId, id);
      expect("step_created", 1, id);
      expect(`step_${ENDS[step?.status ?? ""] ?? "completed"}`, 1, id);
      if (count("step_started", id) !== step?.attempt) faults.push(`${id} counts its attempts wrongly`);
    }
    for (const { correlationId, eventType } of events)
      if (eventType === "step_created" && store.steps.get(run.runId, correlationId ?? "") === undefined)
        faults.push(`${run.runId} has an event, and no step ${correlationId}`);
  }
  return [...faults, ...bugs];
}
