import { readUsage } from "@deputy/agent/readers";
import type { EventLog } from "@deputy/protocol";
import type { RpcResult } from "@deputy/protocol/rpc";
import { GatewayError } from "../../gateway-error.ts";

type Table = RpcResult<"usage.table">;
type Row = Table["days"][number];

/** What models took since then, by day of that zone, by model, and by session and task. The dearest come first, days in order. */
export async function tableUsage(
  log: EventLog,
  { sinceMs, zone }: { readonly sinceMs: number; readonly zone: string | undefined },
): Promise<Table> {
  const dayOf = dayFormat(zone);
  const days = new Map<string, Row>();
  const models = new Map<string, Row>();
  const streams = new Map<string, Row>();
  const isTask = new Set<string>();
  for await (const { event } of log.readAll({ types: ["task.created"] })) isTask.add(event.stream);
  for await (const turn of readUsage(log)) {
    const atMs = Date.parse(turn.at);
    if (atMs < sinceMs) continue;
    const { inputTokens, outputTokens, cacheReadTokens: cached = 0 } = turn.usage;
    const fresh = Math.max(0, inputTokens - cached);
    for (const [rows, name] of [
      [days, dayOf(atMs)],
      [models, turn.model],
      [streams, turn.session],
    ] as const) {
      const before = rows.get(name) ?? {
        name,
        turns: 0,
        fresh: 0,
        cached: 0,
        output: 0,
        unpriced: 0,
        largest: 0,
      };
      const amount = (before.cost?.amount ?? 0) + (turn.cost?.amount ?? 0);
      const currency = turn.cost?.currency ?? before.cost?.currency;
      rows.set(name, {
        name,
        turns: before.turns + 1,
        fresh: before.fresh + fresh,
        cached: before.cached + cached,
        output: before.output + outputTokens,
        unpriced: before.unpriced + (turn.cost === undefined ? 1 : 0),
        largest: Math.max(before.largest, fresh + cached + outputTokens),
        ...(currency !== undefined && {
          cost: { amount, currency },
          dearest: {
            amount: Math.max(before.dearest?.amount ?? 0, turn.cost?.amount ?? 0),
            currency,
          },
        }),
      });
    }
  }
  const dearest = (rows: Iterable<Row>): Row[] =>
    [...rows].toSorted((a, b) => b.fresh + b.cached + b.output - (a.fresh + a.cached + a.output));
  const ofStreams = dearest(streams.values());
  return {
    days: [...days.values()].toSorted((a, b) => a.name.localeCompare(b.name)),
    models: dearest(models.values()),
    sessions: ofStreams.filter(({ name }) => !isTask.has(name)).slice(0, MOST_ROWS),
    tasks: ofStreams.filter(({ name }) => isTask.has(name)).slice(0, MOST_ROWS),
  };
}

const MOST_ROWS = 50;

/** `2026-11-17`, in that zone. */
function dayFormat(zone: string | undefined): (ms: number) => string {
  try {
    const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
    return (ms) => format.format(ms);
  } catch (cause) {
    throw new GatewayError("invalid_request", "There is no such time zone", { cause });
  }
}
