import { makeVisible } from "@deputy/kit";
import { type ApprovalPreview, readPlanCard, type TaskEvent } from "@deputy/protocol";
import { indent } from "./indent.ts";

type ApprovalRequest = Extract<TaskEvent, { type: "approval_request" }>;

/** A question, complete: every input to its end, with nothing in it invisible. A plan is a numbered list. */
export function showApproval(request: ApprovalRequest): string {
  const { preview, input, toolPath } = request;
  const card = readPlanCard(request);
  if (card === undefined) return showCall("?", toolPath, preview, input);
  const calls = card.calls.map((call, n) =>
    indent(showCall(`${n + 1}.`, call.toolPath, call.preview, call.input), "  "),
  );
  const later =
    card.unforeseen === undefined
      ? []
      : [`  Asked later, as it depends on results: ${card.unforeseen} more.`];
  return [`? ${makeVisible(preview.title)}`, ...calls, ...later].join("\n");
}

function showCall(mark: string, toolPath: string, preview: ApprovalPreview, input: unknown): string {
  const { title, details, reasons = [], changes = [] } = preview;
  const body = [
    ...reasons.map((reason) => `because: ${reason}`),
    ...(details === undefined ? [] : [details]),
    ...changes.map(({ diff }) => diff),
    JSON.stringify(input, null, 2),
  ];
  const head = `${mark} ${makeVisible(title)}  (${makeVisible(toolPath)})`;
  return [head, ...body.map((text) => indent(makeVisible(text), "    "))].join("\n");
}
