import type { Task } from "@deputy/protocol";
import type { Client } from "./client.ts";
import { element, part } from "./element.ts";
import { followTask } from "./follow-task.ts";
import { createTaskView } from "./task-view.ts";

/** The selected task: its prompt, its activity, and the button that cancels it. */
export interface TaskPanel {
  /** Shows a task from its beginning and follows it; undefined shows the welcome text. */
  select(task: Task | undefined): void;
  /** Updates the status of the shown task. */
  update(task: Task | undefined): void;
}

const AT_END_PX = 80;

export function createTaskPanel(deps: {
  readonly client: Client;
  /** Called when a task's status may have changed. */
  readonly changed: () => void;
  readonly failed: (place: HTMLElement, error: unknown) => void;
  readonly signal: AbortSignal;
}): TaskPanel {
  const { client, signal } = deps;
  const section = part("#task", HTMLElement);
  const cancel = part("#cancel", HTMLButtonElement);
  const trouble = part("#connection", HTMLElement);
  let following = new AbortController();
  let shown: Task | undefined;

  const follow = (task: Task, stop: AbortSignal): Promise<void> => {
    // A new list each time: reusing the live region would announce the old events as removed.
    const list = element("ol", { id: "happenings", role: "log", "aria-label": "Activity" });
    part("#happenings", HTMLOListElement).replaceWith(list);
    const view = createTaskView(list, (id, answer) => client.answerApproval(id, answer));
    return followTask(
      client,
      task.id,
      {
        event(event) {
          const atEnd = section.scrollHeight - section.scrollTop - section.clientHeight < AT_END_PX;
          view.append(event);
          // Scroll to the start of a question, so that its title is seen before its buttons.
          if (atEnd)
            list.lastElementChild?.scrollIntoView({
              block: event.type === "approval_request" ? "start" : "end",
            });
          if (event.type.startsWith("approval_") || event.type === "completed") deps.changed();
        },
        connection(text) {
          trouble.textContent = text ?? "";
        },
      },
      stop,
    );
  };

  const update = (task: Task | undefined): void => {
    shown = task;
    cancel.hidden = task?.status !== "running" && task?.status !== "waiting";
  };

  cancel.addEventListener(
    "click",
    () => {
      if (shown === undefined) return;
      client.cancelTask(shown.id).then(deps.changed, (error: unknown) => deps.failed(trouble, error));
    },
    { signal },
  );

  return {
    update,
    select(task) {
      following.abort();
      following = new AbortController();
      section.hidden = task === undefined;
      part("#welcome", HTMLElement).hidden = task !== undefined;
      trouble.textContent = "";
      update(task);
      if (task === undefined) return;
      part("#task-prompt", HTMLElement).textContent = task.prompt;
      const stop = AbortSignal.any([signal, following.signal]);
      follow(task, stop).catch((error: unknown) => deps.failed(trouble, error));
    },
  };
}
