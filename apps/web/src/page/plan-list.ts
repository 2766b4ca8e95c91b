import { element } from "./element.ts";
import { marked } from "./hidden-marks.ts";
import { type AskedCall, showPreview } from "./show-preview.ts";

export interface PlannedCall extends AskedCall {
  readonly callId: string;
}

/** The calls of a plan, each with a box to choose it by; all are chosen at first. */
export interface PlanList {
  readonly root: HTMLElement;
  /** The ids of those that are chosen; undefined when all are. */
  chosen(): readonly string[] | undefined;
  /** From now on nothing can be chosen. */
  settle(): void;
}

export interface Plan {
  readonly calls: readonly PlannedCall[];
  /** Further calls that will ask later, as what with depends on results. */
  readonly unforeseen?: number;
}

/** Undefined for a request that is no plan. */
export function planOf(request: AskedCall): Plan | undefined {
  if (request.toolPath !== "plan") return undefined;
  const plan = request.input as Partial<Plan>;
  return Array.isArray(plan.calls) ? (plan as Plan) : undefined;
}

export function createPlanList({ calls, unforeseen = 0 }: Plan): PlanList {
  const boxes = calls.map((call) => {
    const box = element("input", { type: "checkbox", checked: "" });
    const title = element("label", {}, box, ...marked(call.preview.title));
    const more = element("details", { open: "" }, element("summary", {}, "All of it"), ...showPreview(call));
    return { box, callId: call.callId, item: element("li", {}, title, more) };
  });
  const list = element(
    "ol",
    { class: "plan", "aria-label": "Planned calls" },
    ...boxes.map(({ item }) => item),
  );
  const later = element("p", { class: "hint" }, `Asked later, as it depends on results: ${unforeseen} more.`);
  return {
    root: element("div", {}, list, ...(unforeseen === 0 ? [] : [later])),
    chosen() {
      const chosen = boxes.filter(({ box }) => box.checked).map(({ callId }) => callId);
      return chosen.length === boxes.length ? undefined : chosen;
    },
    settle() {
      for (const { box } of boxes) box.disabled = true;
    },
  };
}
