import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type Advanced,
  type AdvanceInput,
  openSqliteWorld,
  openWorkflows,
  type TemplateName,
} from "@deputy/world";
import { type GoldenLog, pack } from "../../packages/world/src/templates/golden-log.ts";
import { pause } from "./setting.ts";

/** A sleep that ends only by a clock that is set, so that a replay finds it as it was. */
const CENTURY_MS = 100 * 365 * 86_400_000;

/** Writes the first run of a task of each template into a folder. For new templates: records are never changed. */
export async function recordGolden(folder: string): Promise<void> {
  const record = async (name: string, template: TemplateName, script: Script): Promise<void> => {
    const log = await recordOne(template, script);
    writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(log)}\n`);
  };
  const ended = (stop: boolean): Advanced => ({ kind: "ended", outcome: "succeeded", stop });
  const asksAt =
    (firing: string, stop: boolean) =>
    ({ firingId, cause }: AdvanceInput): Advanced =>
      firingId === firing && cause === "begin"
        ? { kind: "waiting", approvalId: "apr_1", timeoutMs: CENTURY_MS }
        : ended(firingId === firing && stop);
  await record("one-shot-answered", "oneShot_v1", {
    answer: asksAt("once", false),
    firings: ["once"],
    next: "answer",
  });
  await record("one-shot-timed-out", "oneShot_v1", {
    answer: asksAt("once", false),
    firings: ["once"],
    next: "timeout",
  });
  const firings = ["fir_1", "fir_2", "fir_3"];
  await record("recurring-renewed", "recurring_v1", {
    answer: asksAt("fir_2", false),
    firings,
    next: "answer",
  });
  await record("event-stopped", "eventTriggered_v1", {
    answer: asksAt("fir_2", true),
    firings,
    next: "timeout",
  });
}

interface Script {
  readonly answer: (input: AdvanceInput) => Advanced;
  readonly firings: readonly string[];
  readonly next: "answer" | "timeout";
}

async function recordOne(template: TemplateName, script: Script): Promise<GoldenLog> {
  const directory = mkdtempSync(join(tmpdir(), "golden-"));
  let aheadMs = 0;
  const onBug = (error: unknown): void => {
    throw error;
  };
  const path = join(directory, "workflows.db");
  await using world = openSqliteWorld({ path, now: () => Date.now() + aheadMs, onBug });
  await using workflows = await openWorkflows({
    world,
    advance: async (input) => script.answer(input),
    onBug,
    signal: new AbortController().signal,
    firingsPerRun: script.firings.length,
  });
  for (const firing of script.firings) await workflows.fire(template, "tsk_1", firing);
  const { store, dispatcher } = world.parts;
  while (store.waits.next() === undefined) await pause(5);
  if (script.next === "answer") await workflows.answered("apr_1");
  else aheadMs = CENTURY_MS + 1;
  dispatcher.pump();
  const firstRun = () => world.runs.list({ pagination: { sortOrder: "asc" } }).then(({ data }) => data[0]);
  let run = await firstRun();
  for (; run?.status !== "completed"; run = await firstRun()) await pause(5);
  const { data } = await world.events.list({ runId: run.runId });
  rmSync(directory, { recursive: true });
  return {
    runId: run.runId,
    workflowName: run.workflowName,
    input: pack(run.input),
    startedAt: run.startedAt?.toISOString() ?? "",
    events: data.map((event) => ({
      eventType: event.eventType,
      correlationId: event.correlationId,
      createdAt: event.createdAt.toISOString(),
      eventData: "eventData" in event ? pack(event.eventData) : undefined,
    })),
  };
}
