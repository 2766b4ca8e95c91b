import { makeVisible } from "@deputy/kit";
import type { ApprovalPreview } from "../events/call-events.ts";
import { readPlanCard } from "./plan-card.ts";
import { previewDetails } from "./preview-details.ts";

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
    showApproval({ toolPath, input, preview }),
    `Answer with \`deputy approvals approve ${id}\` or \`deputy approvals deny ${id}\`, or on Deputy's page. The answer goes on here.`,
  ].join("\n\n");
}

/**
 * The whole question, with invisible characters spelled out. Foreign text is inside a code block, where
 * Markdown has no meaning.
 */
export function showApproval(request: {
  readonly toolPath: string;
  readonly input: unknown;
  readonly preview: ApprovalPreview;
}): string {
  const { toolPath, input, preview } = request;
  const card = readPlanCard({ toolPath, input });
  const asked =
    card === undefined
      ? [describeCall(toolPath, preview, input)]
      : [
          preview.title,
          ...card.calls.map(
            (call, n) => `${n + 1}. ${describeCall(call.toolPath, call.preview, call.input)}`,
          ),
          ...(card.unforeseen === undefined
            ? []
            : [`Calls that depend on results are asked about later: ${card.unforeseen} more.`]),
        ];
  return codeBlock(makeVisible(asked.join("\n\n")));
}

function describeCall(toolPath: string, preview: ApprovalPreview, input: unknown): string {
  const { title, reasons = [], changes = [] } = preview;
  const details = previewDetails(preview, input);
  return [
    `${title}  (${toolPath})`,
    ...reasons.map((reason) => `because: ${reason}`),
    ...(details === undefined ? [] : [details]),
    ...changes.map(({ diff }) => diff),
    JSON.stringify(input, null, 2),
  ].join("\n");
}

/** The fence is longer than any run of backticks inside, so that nothing in it can end it. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}
