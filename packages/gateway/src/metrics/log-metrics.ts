import { copyOf } from "@deputy/agent/sessions";
import { type EventLog, type IndexedEventType, readEvent } from "@deputy/protocol";
import type { Metric, Sample } from "./metrics-text.ts";

const TYPES = [
  "turn.started",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
  "approval.requested",
  "approval.resolved",
  "task.created",
  "task.completed",
  "task.cancelled",
  "hook.received",
  "channel.posted",
  "outbox.sent",
  "outbox.failed",
] as const satisfies readonly IndexedEventType[];

/** A model named by whoever asks could make a series of its own each time. */
const MOST_MODELS = 100;

/** What the log says in figures. They are of the whole log, so a restart does not set them back. */
export interface LogMetrics {
  /** Reads what was appended since the last time. Rejects as the log does. */
  read(signal: AbortSignal): Promise<readonly Metric[]>;
}

export function createLogMetrics(log: Pick<EventLog, "readAll">): LogMetrics {
  const turns = new Counts("outcome");
  const tokens = new Counts("model", "kind");
  const modelCalls = new Counts("model");
  const costs = new Counts("model", "currency");
  const tasks = new Counts("outcome");
  const approvals = new Counts("decision");
  const deliveries = new Counts("kind");
  const modelOf = new Map<string, string>();
  const models = new Set<string>();
  const open = { turns: new Set<string>(), approvals: new Set<string>() };
  let created = 0;
  let after = 0;
  let reading: Promise<void> = Promise.resolve();

  const modelName = (name: string): string => {
    if (models.size < MOST_MODELS) models.add(name);
    return models.has(name) ? name : "other";
  };

  const take = ({ event: stored }: { readonly event: Parameters<typeof readEvent>[0] }): void => {
    const read = readEvent(stored);
    // What a fork repeats happened once.
    if (read.kind !== "known" || copyOf(read.event) !== undefined) return;
    const { event } = read;
    const turn = event.turnId ?? "";
    switch (event.type) {
      case "turn.started":
        modelOf.set(turn, modelName(event.data.model));
        open.turns.add(turn);
        break;
      case "turn.completed":
      case "turn.failed":
      case "turn.aborted": {
        turns.add(1, event.type.slice("turn.".length));
        open.turns.delete(turn);
        const model = modelOf.get(turn) ?? "unknown";
        modelOf.delete(turn);
        const { usage, cost } = event.data;
        if (usage !== undefined) {
          tokens.add(usage.inputTokens, model, "input");
          tokens.add(usage.outputTokens, model, "output");
          tokens.add(usage.cacheReadTokens ?? 0, model, "cache_read");
          tokens.add(usage.cacheWriteTokens ?? 0, model, "cache_write");
          modelCalls.add(usage.modelCalls, model);
        }
        if (cost !== undefined) costs.add(cost.amount, model, cost.currency);
        break;
      }
      case "approval.requested":
        open.approvals.add(event.data.approvalId);
        break;
      case "approval.resolved":
        if (open.approvals.delete(event.data.approvalId)) approvals.add(1, event.data.decision);
        break;
      case "task.created":
        created += 1;
        break;
      case "task.completed":
        tasks.add(1, event.data.outcome);
        break;
      case "hook.received":
        deliveries.add(1, "webhook_received");
        break;
      case "channel.posted":
        deliveries.add(1, "chat_posted");
        break;
      case "outbox.sent":
        deliveries.add(1, "notification_sent");
        break;
      case "outbox.failed":
        deliveries.add(1, "notification_failed");
        break;
      default:
        break;
    }
  };

  const catchUp = async (signal: AbortSignal): Promise<void> => {
    for await (const item of log.readAll({ after, types: TYPES })) {
      take(item);
      after = item.position;
      signal.throwIfAborted();
    }
  };

  return {
    async read(signal) {
      // Two scrapes at once would count the same events twice.
      reading = reading.catch(() => undefined).then(() => catchUp(signal));
      await reading;
      const one = (value: number): readonly Sample[] => [{ value }];
      return [
        counter("deputy_turns_total", "Turns that have ended.", turns.samples()),
        gauge("deputy_turns_open", "Turns that run or wait for an answer.", one(open.turns.size)),
        counter("deputy_model_calls_total", "Answers asked of models.", modelCalls.samples()),
        counter("deputy_tokens_total", "Tokens, as the models counted them.", tokens.samples()),
        counter("deputy_cost_total", "Cost of models whose price is known.", costs.samples()),
        counter("deputy_tasks_created_total", "Tasks that were created.", one(created)),
        counter("deputy_tasks_ended_total", "Tasks that have ended.", tasks.samples()),
        counter("deputy_approvals_total", "Questions that were answered.", approvals.samples()),
        gauge("deputy_approvals_open", "Questions that wait for an answer.", one(open.approvals.size)),
        counter("deputy_deliveries_total", "What came in and went out.", deliveries.samples()),
      ];
    },
  };
}

const counter = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  kind: "counter",
  help,
  samples,
});
const gauge = (name: string, help: string, samples: readonly Sample[]): Metric => ({
  name,
  kind: "gauge",
  help,
  samples,
});

/** Sums by the values of some labels. */
class Counts {
  readonly #names: readonly string[];
  readonly #sums = new Map<string, { readonly values: readonly string[]; sum: number }>();

  constructor(...names: readonly string[]) {
    this.#names = names;
  }

  add(amount: number, ...values: readonly string[]): void {
    const key = JSON.stringify(values);
    const entry = this.#sums.get(key) ?? { values, sum: 0 };
    entry.sum += amount;
    this.#sums.set(key, entry);
  }

  samples(): readonly Sample[] {
    return [...this.#sums.values()].map(({ values, sum }) => ({
      labels: Object.fromEntries(this.#names.map((name, at) => [name, values[at] ?? ""])),
      value: sum,
    }));
  }
}
