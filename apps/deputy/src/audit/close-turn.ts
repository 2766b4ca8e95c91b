import { closingEvents, readOpenItems } from "@deputy/agent";
import { readEvent } from "@deputy/protocol";
import type { CloseTurn } from "@deputy/store/sqlite";

/** Questions are withdrawn, what was running is of unknown outcome, and cells end. */
export const closeTurn: CloseTurn = (turnId, events, error) => {
  const known = events.flatMap((stored) => {
    const read = readEvent(stored);
    return read.kind === "known" ? [read.event] : [];
  });
  return closingEvents(turnId, readOpenItems(known, turnId), error);
};
