import type { CanonicalEvent, EventData, Usage } from "@deputy/protocol";
import type { ResumedCell } from "../cell/cell-runner.ts";
import type { Turn } from "./turn.ts";

/** How far a turn has come, read from its events. A crash changes nothing in it. */
export interface TurnState {
  readonly isStarted: boolean;
  /** Cells without an end, in the order they were submitted. */
  readonly openCells: readonly OpenCellRef[];
  /** The model has given its final answer, and no message has come since. */
  readonly isAnswered: boolean;
  /** Why the model's last answer ended. */
  readonly stop: string | undefined;
  /** Programs in a row that did not typecheck. */
  readonly rejected: number;
  /** Tool calls that were made. */
  readonly calls: number;
  readonly usage: Usage;
  /** The same, for each time that a model was asked: prices may depend on it. */
  readonly spent: readonly Spent[];
  /** How often in a row the model asked for the same and got the same result. */
  readonly repeats: number;
  /** How its last cell ended, when none is open. */
  readonly ended: EndedCell | undefined;
}

/** The parts of an event that are needed to continue a cell. */
export type OpenCellRef = Pick<
  ResumedCell,
  "cellId" | "language" | "attempt" | "providerCallId" | "call" | "isScript" | "writtenBy"
>;

export type EndedCell =
  | { readonly kind: "rejected"; readonly diagnostics: EventData<"cell.checked">["diagnostics"] }
  | { readonly kind: "completed"; readonly error: EventData<"cell.completed">["error"] };

/** What one answer took. */
export interface Spent extends Usage {
  /** Who gave it, as `provider/model`; absent: the turn's model. */
  readonly model?: string;
}

type Answer = NonNullable<EventData<"assistant.message">["answer"]>;

export function readTurnState(events: Iterable<CanonicalEvent>, turn: Turn): TurnState {
  const open = new Map<string, OpenCellRef>();
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {
    inputTokens: 0,
    outputTokens: 0,
    modelCalls: 0,
  };
  const spent: Spent[] = [];
  const repeats = countRepeats();
  let isStarted = false;
  let answer: (Answer & { readonly hasCells: boolean }) | undefined;
  let lastSaidSeq = 0;
  let rejected = 0;
  let calls = 0;
  let ended: EndedCell | undefined;

  const note = (given: Answer | undefined, hasCells: boolean): void => {
    if (given === undefined) return;
    answer = { ...given, hasCells };
    addUsage(usage, given.usage);
    const { usage: used, fallback } = given;
    spent.push(fallback === undefined ? used : { ...used, model: fallback.model });
  };

  for (const event of events) {
    // A message that the user sends during a turn belongs to it, whether it has text or attachments.
    if (event.type === "user.message") lastSaidSeq = event.seq;
    if (event.turnId !== turn.turnId) continue;
    switch (event.type) {
      case "turn.started":
        isStarted = true;
        break;
      case "assistant.message":
        note(event.data.answer, false);
        break;
      case "cell.submitted": {
        const { cellId, language, providerCallId, call, isScript, writtenBy } = event.data;
        const carrier = {
          ...(call === undefined ? {} : { call: { name: call.name, input: call.input } }),
          ...(providerCallId === undefined ? {} : { providerCallId }),
          ...(isScript === undefined ? {} : { isScript }),
          ...(writtenBy === undefined ? {} : { writtenBy }),
        };
        open.set(cellId, { cellId, language, attempt: rejected + 1, ...carrier });
        note(event.data.answer, true);
        repeats.begin(event.data);
        ended = undefined;
        break;
      }
      case "cell.checked":
        rejected = event.data.diagnostics.length > 0 ? rejected + 1 : 0;
        if (event.data.diagnostics.length === 0) break;
        open.delete(event.data.cellId);
        ended = { kind: "rejected", diagnostics: event.data.diagnostics };
        repeats.end(event.data.cellId, event.data.diagnostics);
        break;
      case "cell.completed":
        open.delete(event.data.cellId);
        ended = { kind: "completed", error: event.data.error };
        repeats.end(event.data.cellId, [event.data.error, event.data.result, event.data.logs]);
        break;
      case "session.compacted":
        if (event.data.usage === undefined) break;
        addUsage(usage, event.data.usage);
        spent.push(event.data.usage);
        break;
      case "call.settled":
        calls += 1;
        break;
      default:
    }
  }

  return {
    isStarted,
    openCells: [...open.values()],
    isAnswered:
      answer !== undefined && !answer.hasCells && answer.stop !== "pause" && lastSaidSeq <= answer.throughSeq,
    stop: answer?.stop,
    rejected,
    calls,
    usage,
    spent,
    repeats: repeats.count(),
    ended,
  };
}

/** Compares each cell with the one before. */
function countRepeats() {
  const begun = new Map<string, string>();
  let last: string | undefined;
  let times = 0;
  return {
    begin({ cellId, sha256, call }: EventData<"cell.submitted">): void {
      begun.set(cellId, JSON.stringify([sha256, call]));
    },
    end(cellId: string, outcome: unknown): void {
      const done = JSON.stringify([begun.get(cellId), outcome]);
      times = done === last ? times + 1 : 1;
      last = done;
    },
    count: () => times,
  };
}

function addUsage(sum: { -readonly [K in keyof Usage]: Usage[K] }, more: Usage): void {
  sum.inputTokens += more.inputTokens;
  sum.outputTokens += more.outputTokens;
  sum.modelCalls += more.modelCalls;
  for (const part of ["cacheReadTokens", "cacheWriteTokens", "reasoningTokens"] as const) {
    const count = more[part];
    if (count !== undefined) sum[part] = (sum[part] ?? 0) + count;
  }
}
