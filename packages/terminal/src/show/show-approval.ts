import { makeVisible } from "@deputy/kit";
import { type ApprovalPreview, previewDetails, readPlanCard, type TaskEvent } from "@deputy/protocol";
import { indent } from "./indent.ts";
import { NO_STYLES, type Styles } from "./styles.ts";

type ApprovalRequest = Extract<TaskEvent, { type: "approval_request" }>;

/** A question, complete: every input to its end, with nothing in it invisible. A plan is a numbered list. */
export function showApproval(request: ApprovalRequest, styles: Styles = NO_STYLES): string {
  const { preview, input, toolPath } = request;
  const card = readPlanCard(request);
  if (card === undefined) return showCall(styles, "?", toolPath, preview, input);
  const calls = card.calls.map((call, n) =>
    indent(showCall(styles, `${n + 1}.`, call.toolPath, call.preview, call.input), "  "),
  );
  const later =
    card.unforeseen === undefined
      ? []
      : [`  Calls that depend on results are asked about later: ${card.unforeseen} more.`];
  return [styles.question(`? ${makeVisible(preview.title)}`), ...calls, ...later].join("\n");
}

function showCall(
  styles: Styles,
  mark: string,
  toolPath: string,
  preview: ApprovalPreview,
  input: unknown,
): string {
  const { title, reasons = [], changes = [] } = preview;
  const details = previewDetails(preview, input);
  const body = [
    ...reasons.map((reason) => makeVisible(`because: ${reason}`)),
    ...(details === undefined ? [] : [makeVisible(details)]),
    ...changes.map(({ diff }) => styleDiff(styles, makeVisible(diff))),
    makeVisible(JSON.stringify(input, null, 2)),
  ];
  const head = styles.question(`${mark} ${makeVisible(title)}  (${makeVisible(toolPath)})`);
  return [head, ...body.map((text) => indent(text, "    "))].join("\n");
}

function styleDiff(styles: Styles, diff: string): string {
  const style = (line: string): string => {
    if (line.startsWith("+")) return styles.added(line);
    return line.startsWith("-") ? styles.removed(line) : line;
  };
  return diff.split("\n").map(style).join("\n");
}
