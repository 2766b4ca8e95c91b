import { element } from "./element.ts";
import { marked } from "./hidden-marks.ts";
import { type AskedCall, showPreview } from "./show-preview.ts";

export interface PlannedCall extends AskedCall {
  readonly callId: string;
}

/** The calls of a plan, each with a checkbox. All are checked at first. */
export interface PlanList {
  readonly root: HTMLElement;
  /** The ids of the checked calls; undefined when all are checked. */
  chosen(): readonly string[] | undefined;
  /** Disables the checkboxes. */
  settle(): void;
}

export interface Plan {
  readonly calls: readonly PlannedCall[];
  /** How many further calls will ask later, because their input depends on results. */
  readonly unforeseen?: number;
}

/** Returns undefined when the request is not a plan. */
export function planOf(request: AskedCall): Plan | undefined {
  if (request.toolPath !== "plan") return undefined;
  const plan = request.input as Partial<Plan>;
  return Array.isArray(plan.calls) ? (plan as Plan) : undefined;
}

export function createPlanList({ calls, unforeseen = 0 }: Plan): PlanList {
  const boxes = calls.map((call) => {
    const box = element("input", { type: "checkbox", checked: "" });
    const title = element("label", {}, box, ...marked(call.preview.title));
    const more = element("details", { open: "" }, element("summary", {}, "Details"), ...showPreview(call));
    return { box, callId: call.callId, item: element("li", {}, title, more) };
  });
  const list = element(
    "ol",
    { class: "plan", "aria-label": "Planned calls" },
    ...boxes.map(({ item }) => item),
  );
  const later = element(
    "p",
    { class: "hint" },
    `Calls that depend on results are asked about later: ${unforeseen} more.`,
  );
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
