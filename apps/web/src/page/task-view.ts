import type { TaskEvent } from "@deputy/protocol";
import { type ApprovalCard, createApprovalCard } from "./approval-card.ts";
import type { Answer } from "./client.ts";
import { element } from "./element.ts";
import { marked } from "./hidden-marks.ts";

/** The live view of one task: a list of what happened, oldest first. */
export interface TaskView {
  append(event: TaskEvent): void;
}

export function createTaskView(
  list: HTMLOListElement,
  answer: (approvalId: string, answer: Answer) => Promise<void>,
): TaskView {
  const cards = new Map<string, ApprovalCard>();

  const add = (kind: string, ...children: readonly (Node | string)[]): void => {
    list.append(element("li", { class: kind }, ...children));
  };

  return {
    append(event) {
      switch (event.type) {
        case "status":
          return add("status", ...marked(event.message));
        case "code_generated":
          return add(
            "code",
            element(
              "details",
              { open: "" },
              element("summary", {}, "Program"),
              element("pre", { tabindex: "0" }, ...marked(event.code)),
            ),
          );
        case "approval_request": {
          const card = createApprovalCard(event, (given) => answer(event.id, given));
          cards.set(event.id, card);
          return add("ask", card.root);
        }
        case "approval_resolved":
          return cards.get(event.id)?.settle(event.decision);
        case "tool_result":
          return add("result", ...toolResult(event));
        case "agent_message":
          return add("message", ...marked(event.text));
        case "error":
          return add("error", element("strong", {}, "Error "), ...marked(event.error));
        case "completed":
          return add("status end", "Finished");
      }
    },
  };
}

function toolResult(event: Extract<TaskEvent, { readonly type: "tool_result" }>): readonly Node[] {
  const head = element(
    "p",
    {},
    element("code", {}, ...marked(event.toolPath)),
    element("span", { class: `badge ${event.status}` }, event.status),
  );
  if (event.preview === undefined) return [head];
  return [head, element("pre", { tabindex: "0" }, ...marked(event.preview))];
}
