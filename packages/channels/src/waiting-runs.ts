import type { PendingApproval } from "@deputy/protocol";
import { plainText, type Run } from "./text/styled-text.ts";

const MOST_SHOWN = 20;
const TITLE_CHARS = 150;

/** What waits for the owner, the oldest first. What is in a question is text, whatever it looks like. */
export function waitingRuns(approvals: readonly PendingApproval[]): readonly Run[] {
  if (approvals.length === 0)
    return plainText("Nothing waits for you. Write to Deputy under Messages; each thread is a conversation.");
  const count = approvals.length === 1 ? "One question waits" : `${approvals.length} questions wait`;
  const lines = approvals
    .slice(0, MOST_SHOWN)
    .map(({ card, preview }) => `• ${(card?.title ?? preview.title).slice(0, TITLE_CHARS)}`);
  const more = approvals.length > MOST_SHOWN ? [`and ${approvals.length - MOST_SHOWN} more`] : [];
  const where = "Answer with the buttons where it was asked, or on Deputy's page.";
  return plainText([`${count} for you:`, ...lines, ...more, "", where].join("\n"));
}
