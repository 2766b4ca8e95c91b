import type { Task } from "@deputy/protocol";
import { element } from "./element.ts";

export const statusWords: Readonly<Record<Task["status"], string>> = {
  running: "running",
  waiting: "needs approval",
  scheduled: "scheduled",
  succeeded: "done",
  failed: "failed",
  cancelled: "cancelled",
};

/** Shows the tasks as links to themselves; keeps the keyboard focus where it was. */
export function showTaskList(
  list: HTMLUListElement,
  tasks: readonly Task[],
  selected: string | undefined,
): void {
  const focused = document.activeElement?.getAttribute("href");
  list.replaceChildren(...tasks.map((task) => item(task, task.id === selected)));
  if (list.childElementCount === 0) list.append(element("li", { class: "empty" }, "No tasks yet"));
  if (focused?.startsWith("#tsk_") !== true) return;
  list.querySelector<HTMLAnchorElement>(`a[href="${CSS.escape(focused)}"]`)?.focus();
}

const SHORT_DAY = { weekday: "short", day: "numeric", month: "short" } as const;

/** The status in words; for a scheduled task, when it runs next. */
function badgeOf({ status, nextAt }: Task): string {
  if (status !== "scheduled" || nextAt === undefined) return statusWords[status];
  const next = new Date(nextAt);
  const isToday = next.toDateString() === new Date().toDateString();
  return isToday
    ? next.toLocaleTimeString([], { timeStyle: "short" })
    : next.toLocaleDateString([], SHORT_DAY);
}

function item(task: Task, selected: boolean): HTMLLIElement {
  const link = element(
    "a",
    { href: `#${task.id}`, ...(selected && { "aria-current": "page" }) },
    element("span", { class: "prompt" }, task.prompt),
    element("span", { class: `badge ${task.status}` }, badgeOf(task)),
  );
  return element("li", {}, link);
}
