import type { TaskEvent } from "@deputy/protocol";
import type { Answer } from "./client.ts";
import { element } from "./element.ts";
import { marked } from "./hidden-marks.ts";
import { createPlanList, planOf } from "./plan-list.ts";
import { showPreview } from "./show-preview.ts";

export type ApprovalRequest = Extract<TaskEvent, { readonly type: "approval_request" }>;

export interface ApprovalCard {
  readonly root: HTMLElement;
  /** Removes the buttons and shows the decision. */
  settle(decision: Answer["decision"]): void;
}

/** The question with its whole input: nothing is cut off, and invisible characters are shown by name. */
export function createApprovalCard(
  request: ApprovalRequest,
  /** Rejects when the answer did not reach Deputy; the buttons then come back with the message. */
  answer: (answer: Answer) => Promise<void>,
): ApprovalCard {
  const titleId = `title-${request.id}`;
  const plan = planOf(request);
  const list = plan === undefined ? undefined : createPlanList(plan);
  const reason = element("input", { type: "text", maxlength: "2000", autocomplete: "off" });
  const approve = element("button", { type: "button", class: "primary" }, "Approve");
  const deny = element("button", { type: "button", class: "danger" }, "Deny");
  const message = element("p", { class: "trouble", role: "alert" });
  const form = element(
    "div",
    { class: "answer" },
    element("label", {}, "Reason (optional)", reason),
    element("div", { class: "buttons" }, approve, deny),
    message,
  );
  const state = element("span", { class: "badge waiting" }, "Needs your approval");
  const root = element(
    "section",
    { class: "approval", "aria-labelledby": titleId, tabindex: "-1" },
    element("header", {}, element("h3", { id: titleId }, ...marked(request.preview.title)), state),
    ...(list === undefined ? showPreview(request) : [list.root]),
    form,
  );

  // The buttons are not set to `disabled`: the one just pressed would lose the keyboard focus.
  const give = async (decision: Answer["decision"]): Promise<void> => {
    if (form.ariaBusy === "true") return;
    const text = reason.value.trim();
    const calls = decision === "approved" ? list?.chosen() : undefined;
    if (calls?.length === 0) {
      message.textContent = "Nothing is selected. Select the calls that may run, or deny them all.";
      return;
    }
    form.ariaBusy = "true";
    message.textContent = "";
    try {
      await answer({ decision, ...(calls !== undefined && { calls }), ...(text !== "" && { reason: text }) });
    } catch (error) {
      message.textContent = error instanceof Error ? error.message : String(error);
      form.ariaBusy = "false";
    }
  };
  approve.addEventListener("click", () => void give("approved"));
  deny.addEventListener("click", () => void give("denied"));

  return {
    root,
    settle(decision) {
      if (form.contains(document.activeElement)) root.focus();
      form.remove();
      list?.settle();
      state.textContent = decision === "approved" ? "Approved" : "Denied";
      state.className = `badge ${decision}`;
      root.classList.add("settled");
    },
  };
}
