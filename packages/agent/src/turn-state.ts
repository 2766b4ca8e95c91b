import type { CanonicalEvent, EventData, Usage } from "@deputy/protocol";
import type { ResumedCell } from "./cell-runner.ts";
import type { Turn } from "./turn.ts";

/** How far a turn has come, as its events tell it. A crash changes nothing in it. */
export interface TurnState {
  readonly isStarted: boolean;
  readonly startedAtMs: number | undefined;
  /** Cells without an end, in the order they were submitted. */
  readonly openCells: readonly OpenCellRef[];
  /** The model has said its last word, and nobody has said anything since. */
  readonly isAnswered: boolean;
  /** Why the model's last answer ended. */
  readonly stop: string | undefined;
  /** Programs in a row that did not typecheck. */
  readonly rejected: number;
  /** Tool calls that were made. */
  readonly calls: number;
  readonly usage: Usage;
  /** How its last cell ended, when none is open. */
  readonly ended: EndedCell | undefined;
}

/** What is needed to go on with a cell. */
export type OpenCellRef = Pick<ResumedCell, "cellId" | "language" | "attempt" | "providerCallId">;

export type EndedCell =
  | { readonly kind: "rejected"; readonly diagnostics: EventData<"cell.checked">["diagnostics"] }
  | { readonly kind: "completed"; readonly error: EventData<"cell.completed">["error"] };

type Answer = NonNullable<EventData<"assistant.message">["answer"]>;

export function readTurnState(events: Iterable<CanonicalEvent>, turn: Turn): TurnState {
  const open = new Map<string, OpenCellRef>();
  const usage: { -readonly [K in keyof Usage]: Usage[K] } = {
    inputTokens: 0,
    outputTokens: 0,
    modelCalls: 0,
  };
  let startedAtMs: number | undefined;
  let answer: (Answer & { readonly hasCells: boolean }) | undefined;
  let lastSaidSeq = 0;
  let rejected = 0;
  let calls = 0;
  let ended: EndedCell | undefined;

  const note = (given: Answer | undefined, hasCells: boolean): void => {
    if (given === undefined) return;
    answer = { ...given, hasCells };
    addUsage(usage, given.usage);
  };

  for (const event of events) {
    // What the user says in the middle of a turn belongs to it, whatever it carries.
    if (event.type === "user.message") lastSaidSeq = event.seq;
    if (event.turnId !== turn.turnId) continue;
    switch (event.type) {
      case "turn.started":
        startedAtMs = Date.parse(event.at);
        break;
      case "assistant.message":
        note(event.data.answer, false);
        break;
      case "cell.submitted": {
        const { cellId, language, providerCallId } = event.data;
        const carrier = providerCallId === undefined ? {} : { providerCallId };
        open.set(cellId, { cellId, language, attempt: rejected + 1, ...carrier });
        note(event.data.answer, true);
        ended = undefined;
        break;
      }
      case "cell.checked":
        rejected = event.data.diagnostics.length > 0 ? rejected + 1 : 0;
        if (event.data.diagnostics.length === 0) break;
        open.delete(event.data.cellId);
        ended = { kind: "rejected", diagnostics: event.data.diagnostics };
        break;
      case "cell.completed":
        open.delete(event.data.cellId);
        ended = { kind: "completed", error: event.data.error };
        break;
      case "session.compacted":
        if (event.data.usage !== undefined) addUsage(usage, event.data.usage);
        break;
      case "call.settled":
        calls += 1;
        break;
      default:
    }
  }

  return {
    isStarted: startedAtMs !== undefined,
    startedAtMs,
    openCells: [...open.values()],
    isAnswered:
      answer !== undefined && !answer.hasCells && answer.stop !== "pause" && lastSaidSeq <= answer.throughSeq,
    stop: answer?.stop,
    rejected,
    calls,
    usage,
    ended,
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
