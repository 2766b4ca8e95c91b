import { cardLines } from "../card/card-lines.ts";
import { projectCard } from "../card/project-card.ts";
import type { ApprovalPreview } from "../events/call-events.ts";
import type { ApprovalCard } from "./approval-card.ts";

/** A question for a client that shows nothing but text, with how to answer. */
export function describeApproval(request: {
  readonly approval_id: string;
  readonly tool_path: string;
  readonly input: unknown;
  readonly preview: ApprovalPreview;
}): string {
  const { approval_id: id, tool_path: toolPath, input, preview } = request;
  return [
    "Waiting for your approval:",
    showApproval({ id, toolPath, input, preview }),
    `Answer with \`deputy approvals approve ${id}\` or \`deputy approvals deny ${id}\`, or on Deputy's page. The answer goes on here.`,
  ].join("\n\n");
}

/**
 * The card of a question as text, and how to see what it leaves out. Foreign text is inside a code block, where
 * Markdown has no meaning.
 */
export function showApproval(request: {
  readonly id: string;
  readonly toolPath: string;
  readonly input: unknown;
  readonly preview: ApprovalPreview;
  /** As the daemon made it, which knows more of the question. */
  readonly card?: ApprovalCard | undefined;
}): string {
  const { card = projectCard(request) } = request;
  const text = cardLines(card)
    .map((line) => line.text)
    .join("\n");
  const more = leavesOut(card) ? [`\`deputy approvals show ${request.id}\` shows all of it.`] : [];
  return [codeBlock(text), ...more].join("\n\n");
}

/** True if there is more to see than the card shows: a value's middle, or calls that are all alike. */
function leavesOut({ groups }: ApprovalCard): boolean {
  return groups.some(
    ({ same, calls, folded }) =>
      folded !== undefined ||
      [...same, ...calls.flatMap(({ parts }) => parts)].some(({ left }) => left !== undefined),
  );
}

/** The fence is longer than any run of backticks inside, so that nothing in it can end it. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
