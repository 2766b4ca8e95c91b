import { expect, test } from "vitest";
import { prune } from "./prune.ts";
import { countRows, setUpWorld } from "./world.fixture.ts";

const DAY_MS = 86_400_000;
const input = new Uint8Array([1]);

async function setup() {
  const home = setUpWorld();
  const world = home.open();
  const endRun = async (): Promise<void> => {
    const eventData = { deploymentId: "d", workflowName: "w", input };
    const { run } = await world.events.create(null, { eventType: "run_created", eventData });
    const runId = run?.runId ?? "";
    await world.events.create(runId, {
      eventType: "step_created",
      correlationId: `step_${runId}`,
      eventData: { stepName: "s", input },
    });
    await world.writeToStream(`stream ${runId}`, runId, "x");
    await world.events.create(runId, { eventType: "run_cancelled" });
  };
  const { db, now } = world.parts.store;
  const tables = ["runs", "events", "steps", "chunks", "queue"] as const;
  return {
    ...home,
    world,
    endRun,
    prune: (runs: number) => prune(db, now(), { runs, days: 7 }),
    counts: () => tables.map((table) => countRows(world, table)),
  };
}

test("[WF10] keeps the last ended runs with everything that belongs to them", async () => {
  const { endRun, prune: pruneTo, counts, world } = await setup();
  const open = await world.events.create(null, {
    eventType: "run_created",
    eventData: { deploymentId: "d", workflowName: "w", input },
  });
  for (let n = 0; n < 6; n++) await endRun();
  pruneTo(6);
  expect(counts()).toEqual([7, 19, 6, 6, 1]);
  pruneTo(0);
  expect(counts()).toEqual([1, 1, 0, 0, 1]);
  expect((await world.runs.get(open.run?.runId ?? "")).status).toBe("pending");
});

test("[WF10] keeps nothing ended for longer than a week", async () => {
  const { endRun, prune: pruneTo, counts, time } = await setup();
  await endRun();
  time.aheadMs = 6 * DAY_MS;
  await endRun();
  pruneTo(1_000);
  expect(counts()[0]).toBe(2);
  time.aheadMs = 8 * DAY_MS;
  pruneTo(1_000);
  expect(counts()[0]).toBe(1);
});

test("[WF10] removes tasks and firings in the same way", async () => {
  const { world, time, prune: pruneTo } = await setup();
  const { db } = world.parts.store;
  const ended = db.sql("INSERT INTO tasks (id, template, run, firings, ended) VALUES (?, 't', ?, 0, ?)");
  ended.run("ended", "ended", Date.now());
  ended.run("open", "open", null);
  const fired = db.sql("INSERT INTO firings (task, id, state, at, payload) VALUES ('open', ?, ?, ?, x'00')");
  fired.run("a", "done", Date.now());
  fired.run("b", "waiting", Date.now());
  time.aheadMs = 8 * DAY_MS;
  pruneTo(1_000);
  expect(db.sql("SELECT id FROM tasks").all()).toEqual([expect.objectContaining({ id: "open" })]);
  expect(db.sql("SELECT id FROM firings").all()).toEqual([expect.objectContaining({ id: "b" })]);
});

test("[WF10] prunes again as runs end", async () => {
  const home = setUpWorld();
  const world = home.open({ retention: { runs: 10, days: 7 } });
  const { promise: pruned, resolve } = Promise.withResolvers<void>();
  for (let n = 0; n < 50; n++) {
    const eventData = { deploymentId: "d", workflowName: "w", input };
    const { run } = await world.events.create(null, { eventType: "run_created", eventData });
    await world.events.create(run?.runId ?? "", { eventType: "run_cancelled" });
  }
  setImmediate(() => setImmediate(resolve));
  await pruned;
  expect(countRows(world, "runs")).toBeLessThanOrEqual(11);
});

test("[WF10] every lookup at each step uses an index, so other rows cost nothing", async () => {
  const { world } = await setup();
  const { db } = world.parts.store;
  const plan = (sql: string): string =>
    db
      .sql(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map((row) => String(row["detail"]))
      .join("; ");
  for (const sql of [
    "SELECT doc FROM runs WHERE id = 'r'",
    "SELECT doc FROM steps WHERE run = 'r' AND id = 's'",
    "SELECT doc FROM hooks WHERE token = 't'",
    "SELECT seq, doc FROM events WHERE run = 'r' AND seq > 1 ORDER BY seq LIMIT 10",
    "SELECT run, id, doc FROM waits WHERE resume_at <= 1 ORDER BY resume_at LIMIT 10",
    "SELECT min(resume_at) AS first FROM waits WHERE resume_at IS NOT NULL",
    "SELECT min(ready) AS first FROM queue WHERE kind = 'step' AND ready > 1",
    "SELECT id, name, run, failures, body FROM queue WHERE kind = 'step' AND ready <= 1 ORDER BY ready, id LIMIT 9",
    "SELECT id FROM queue WHERE key = 'k'",
    "SELECT * FROM tasks WHERE run = 'r'",
    "SELECT seq, payload FROM firings WHERE task = 't' AND state = 'waiting' ORDER BY seq LIMIT 1",
  ])
    expect(plan(sql)).toMatch(/^SEARCH \w+ USING (COVERING )?INDEX [^;]*$/);
});
