import type { Task } from "@deputy/protocol";
import { type Client, RequestFailed } from "./client.ts";
import { part } from "./element.ts";
import { wireNewTaskForm } from "./new-task-form.ts";
import { showNotices } from "./notice-list.ts";
import { pause } from "./pause.ts";
import { showTaskList } from "./task-list.ts";
import { createTaskPanel } from "./task-panel.ts";

const REFRESH_MS = 5_000;

/** Runs the signed-in page until the user signs out or the token is refused; then calls `leave` with why. */
export function openWorkspace(client: Client, first: readonly Task[], leave: (why: string) => void): void {
  const closing = new AbortController();
  const { signal } = closing;
  let tasks = first;

  const close = (why: string): void => {
    if (signal.aborted) return;
    closing.abort();
    leave(why);
  };
  const failed = (place: HTMLElement, error: unknown): void => {
    if (!(error instanceof RequestFailed)) throw error;
    if (error.status === 401)
      close("The token is no longer valid. Run “deputy token” to see the current one.");
    else place.textContent = error.message;
  };
  let opened: string | undefined;
  const refresh = async (): Promise<void> => {
    const place = part("#tasks-message", HTMLElement);
    try {
      tasks = await client.listTasks();
      const notices = await client.listNotices();
      if (!signal.aborted) showNotices(part("#notices", HTMLElement), notices);
      place.textContent = await client.readTrouble();
    } catch (error) {
      failed(place, error);
    }
    if (signal.aborted) return;
    // A task named in the address may have appeared in the list only now.
    if (selectedIn(tasks)?.id === opened) draw();
    else select();
  };
  const panel = createTaskPanel({ client, changed: () => void refresh(), failed, signal });

  const draw = (): void => {
    const selected = selectedIn(tasks);
    showTaskList(part("#tasks", HTMLUListElement), tasks, selected?.id);
    panel.update(selected);
    const waiting = tasks.filter(({ status }) => status === "waiting").length;
    document.title = waiting === 0 ? "Deputy" : `(${waiting}) Approval needed – Deputy`;
  };
  const select = (): void => {
    draw();
    const selected = selectedIn(tasks);
    opened = selected?.id;
    panel.select(selected);
  };
  const keepFresh = async (): Promise<void> => {
    for (;;) {
      await pause(REFRESH_MS, signal);
      if (signal.aborted) return;
      if (document.visibilityState === "visible") await refresh();
    }
  };

  const created = (task: Task): void => {
    tasks = [task, ...tasks];
    location.hash = task.id;
  };
  wireNewTaskForm({ client, created, failed, signal });
  window.addEventListener("hashchange", select, { signal });
  part("#sign-out", HTMLButtonElement).addEventListener("click", () => close(""), { signal });
  select();
  void refresh();
  void keepFresh();
}

/** The part of the address after `#` only ever names a task; the page never requests it. */
function selectedIn(tasks: readonly Task[]): Task | undefined {
  return tasks.find(({ id }) => `#${id}` === location.hash);
}
