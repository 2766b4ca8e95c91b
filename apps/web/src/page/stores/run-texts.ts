import type { Connection } from "../wire/connection.ts";

/** A piece of an answer, and where in the answer it stands. */
export interface Piece {
  readonly runId: string;
  readonly itemId: string;
  readonly offset: number;
  readonly text: string;
}

/**
 * What was written of answers that are not whole yet. Deputy sends each piece once to each connection, whether its
 * conversation is looked at then or not: whoever comes to it later, or comes back, finds here what came before.
 */
export interface RunTexts {
  take(piece: Piece): void;
  /** The answers of a run, as far as they have come. */
  of(runId: string): readonly { readonly itemId: string; readonly text: string }[];
  end(runId: string): void;
  clear(): void;
}

export function createRunTexts(): RunTexts {
  const runs = new Map<string, Map<string, string>>();
  return {
    take({ runId, itemId, offset, text }) {
      const items = runs.get(runId) ?? new Map<string, string>();
      const before = items.get(itemId) ?? "";
      // Without its beginning it is of no use; the whole answer comes in the end.
      if (offset > before.length) return;
      const isNext = offset === before.length;
      runs.set(runId, items.set(itemId, isNext ? before + text : before.slice(0, offset) + text));
    },
    of: (runId) => [...(runs.get(runId) ?? [])].map(([itemId, text]) => ({ itemId, text })),
    end: (runId) => void runs.delete(runId),
    clear: () => runs.clear(),
  };
}

/** The same, of a connection. A new one gets everything anew. */
export function keepRunTexts(connection: Connection, life: AbortSignal): RunTexts {
  const texts = createRunTexts();
  connection.onPush((push) => {
    if (push.event === "chat.delta") texts.take(push.data);
    else if (push.event === "chat.final" || push.event === "chat.error") texts.end(push.data.runId);
  }, life);
  connection.onOpen(() => texts.clear(), life);
  return texts;
}
