import { copyOf } from "@deputy/agent/sessions";
import { readEvent, type StoredEvent, type Usage } from "@deputy/protocol";

/** The usage of a session so far. The part that a fork was copied from does not count. */
export interface Spend {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly modelCalls: number;
  /** In dollars; 0 also where no price is known. */
  readonly cost: number;
}

export interface SpendMeter {
  take(event: StoredEvent): void;
  /** With what the turn under way has taken. */
  total(): Spend;
}

export function createSpendMeter(): SpendMeter {
  let ended: Spend = { inputTokens: 0, outputTokens: 0, modelCalls: 0, cost: 0 };
  let underWay = ended;

  const plus = (spend: Spend, usage: Usage | undefined, cost: number): Spend => ({
    inputTokens: spend.inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: spend.outputTokens + (usage?.outputTokens ?? 0),
    modelCalls: spend.modelCalls + (usage?.modelCalls ?? 0),
    cost: spend.cost + cost,
  });

  return {
    take(stored) {
      const read = readEvent(stored);
      if (read.kind !== "known" || copyOf(read.event) !== undefined) return;
      const { event } = read;
      switch (event.type) {
        case "assistant.message":
        case "cell.submitted":
          underWay = plus(underWay, event.data.answer?.usage, 0);
          break;
        case "turn.completed":
        case "turn.failed":
        case "turn.aborted":
          ended = plus(ended, event.data.usage, event.data.cost?.amount ?? 0);
          underWay = ended;
          break;
        default:
      }
    },
    total: () => underWay,
  };
}

/** `1.2k in, 340 out, $0.0123`; without the money where none is known. */
export function formatSpend({ inputTokens, outputTokens, cost }: Spend): string {
  const money = cost === 0 ? "" : `, $${cost < 1 ? cost.toFixed(4) : cost.toFixed(2)}`;
  return `${short(inputTokens)} in, ${short(outputTokens)} out${money}`;
}

function short(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}
