import { type CanonicalEvent, type EventData, type EventLog, readEvent } from "@deputy/protocol";
import type { ResumedCell } from "./cell-runner.ts";
import type { Turn } from "./turn.ts";

/** How far a turn had come that an earlier process left without an end. */
export interface OpenTurn {
  readonly isStarted: boolean;
  /** The cell that it was in the middle of, and which try at its program that was. */
  readonly cell: Pick<ResumedCell, "cellId" | "language" | "attempt" | "providerCallId"> | undefined;
  /** How its last cell ended, when none is open. */
  readonly ended: EndedCell | undefined;
}

export type EndedCell =
  | { readonly kind: "rejected"; readonly diagnostics: EventData<"cell.checked">["diagnostics"] }
  | { readonly kind: "completed"; readonly error: EventData<"cell.completed">["error"] };

export async function readOpenTurn(log: EventLog, turn: Turn): Promise<OpenTurn> {
  let state: OpenTurn = { isStarted: false, cell: undefined, ended: undefined };
  let rejected = 0;
  for await (const stored of log.read(turn.stream)) {
    const read = readEvent(stored);
    if (read.kind !== "known" || read.event.turnId !== turn.turnId) continue;
    if (read.event.type === "cell.checked")
      rejected = read.event.data.diagnostics.length > 0 ? rejected + 1 : 0;
    state = fold(state, read.event, rejected);
  }
  return state;
}

function fold(state: OpenTurn, event: CanonicalEvent, rejected: number): OpenTurn {
  switch (event.type) {
    case "turn.started":
      return { ...state, isStarted: true };
    case "cell.submitted": {
      const { cellId, language, providerCallId } = event.data;
      const carrier = providerCallId === undefined ? {} : { providerCallId };
      return { ...state, cell: { cellId, language, attempt: rejected + 1, ...carrier }, ended: undefined };
    }
    case "cell.checked": {
      const { diagnostics } = event.data;
      return diagnostics.length === 0
        ? state
        : { ...state, cell: undefined, ended: { kind: "rejected", diagnostics } };
    }
    case "cell.completed":
      return { ...state, cell: undefined, ended: { kind: "completed", error: event.data.error } };
    default:
      return state;
  }
}
