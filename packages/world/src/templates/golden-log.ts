import type { Event, World, WorkflowRun } from "@workflow/world";
import { loadCore } from "../core/load-core.ts";

/** A run's record as a small file: dates as text, encoded values as their text. */
export interface GoldenLog {
  readonly runId: string;
  readonly workflowName: string;
  readonly input: unknown;
  readonly startedAt: string;
  readonly events: readonly GoldenEvent[];
}

interface GoldenEvent {
  readonly eventType: string;
  readonly correlationId?: string | undefined;
  readonly createdAt: string;
  readonly eventData?: unknown;
}

/** Bytes as `{ "text": … }`, dates as `{ "date": … }`. */
export function pack(value: unknown): unknown {
  if (value instanceof Uint8Array) return { text: new TextDecoder().decode(value) };
  if (value instanceof Date) return { date: value.toISOString() };
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, pack(inner)]));
}

function unpack(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("text" in value) return new TextEncoder().encode(String(value.text));
  if ("date" in value) return new Date(String(value.date));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unpack(inner)]));
}

/** Events that a replay writes itself; all others come from outside. */
const OWN: ReadonlySet<string> = new Set([
  "step_created",
  "hook_created",
  "hook_disposed",
  "wait_created",
  "run_completed",
]);

/**
 * Replays the record with a script, stopping after each event as if it were the last. What the workflow does
 * next must match the record. Returns the differences.
 */
export async function replayGolden(log: GoldenLog, script: string): Promise<readonly string[]> {
  const problems: string[] = [];
  for (let known = 2; known < log.events.length; known++) {
    const { written, queued } = await replayOnce(log, known, script);
    const rest = new Set(log.events.slice(known).map(comparable));
    const next = log.events[known];
    const where = `${log.workflowName} after ${known} events`;
    for (const event of written)
      if (!rest.has(comparable(event))) problems.push(`${where}: did not write ${comparable(event)}`);
    if (
      next !== undefined &&
      OWN.has(next.eventType) &&
      !written.some((one) => comparable(one) === comparable(next))
    )
      problems.push(`${where}: wrote ${comparable(next)}`);
    if (queued.some((message) => "replayDivergence" in message)) problems.push(`${where}: diverges`);
  }
  return problems;
}

/** Everything but times: when a sleep ends depends on when it began. */
function comparable({ eventType, correlationId, eventData }: Omit<GoldenEvent, "createdAt">): string {
  const data = eventType === "wait_created" ? undefined : pack(eventData);
  return JSON.stringify([eventType, correlationId, data]);
}

/** One delivery of the workflow, over a World that has the first events and only records what is requested. */
async function replayOnce(log: GoldenLog, known: number, script: string) {
  const { runId, workflowName } = log;
  const events = log.events
    .slice(0, known)
    .map(({ eventType, correlationId, createdAt, eventData }, index) => ({
      eventType,
      correlationId,
      runId,
      eventId: `evnt_${index}`,
      createdAt: new Date(createdAt),
      eventData: unpack(eventData),
      specVersion: 3,
    })) as unknown as Event[];
  const run = {
    runId,
    workflowName,
    deploymentId: "embedded",
    status: "running",
    input: unpack(log.input),
    startedAt: new Date(log.startedAt),
    specVersion: 3,
  } as unknown as WorkflowRun;
  const written: GoldenEvent[] = [];
  const queued: object[] = [];
  const handlers: Parameters<World["createQueueHandler"]>[1][] = [];
  const world = {
    createQueueHandler: (_prefix: string, handler: (typeof handlers)[number]) => void handlers.push(handler),
    async queue(_name: string, message: object) {
      queued.push(message);
      return { messageId: null };
    },
    events: {
      async create(_runId: string, request: GoldenEvent) {
        if (request.eventType === "run_started") return { run, events, cursor: null, hasMore: false };
        written.push(request);
        return { event: { ...request, runId, eventId: `evnt_new${written.length}`, createdAt: new Date() } };
      },
      list: async () => ({ data: [...events, ...written], cursor: null, hasMore: false }),
    },
  } as unknown as World;
  (await loadCore()).attach(world, script, new Map());
  const meta = { attempt: 1, queueName: `__wkf_workflow_${workflowName}`, messageId: "msg_1" };
  await handlers[0]?.({ runId }, meta as Parameters<(typeof handlers)[number]>[1]);
  return { written, queued };
}
