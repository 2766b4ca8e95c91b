import { closingEvents, readOpenItems } from "@deputy/agent";
import { readEvent } from "@deputy/protocol";
import type { CloseTurn } from "@deputy/store/sqlite";

/** Withdraws questions, marks running calls as of unknown outcome, and ends cells. */
export const closeTurn: CloseTurn = (turnId, events, error) => {
  const known = events.flatMap((stored) => {
    const read = readEvent(stored);
    return read.kind === "known" ? [read.event] : [];
  });
  return closingEvents(turnId, readOpenItems(known, turnId), error);
};
