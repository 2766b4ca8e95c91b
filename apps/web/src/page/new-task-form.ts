import type { Task } from "@deputy/protocol";
import type { Client } from "./client.ts";
import { part } from "./element.ts";

/** Wires the prompt box. It keeps what was typed until the task exists. */
export function wireNewTaskForm(deps: {
  readonly client: Client;
  readonly created: (task: Task) => void;
  readonly failed: (place: HTMLElement, error: unknown) => void;
  readonly signal: AbortSignal;
}): void {
  const form = part("#new-task", HTMLFormElement);
  const prompt = part("#prompt", HTMLTextAreaElement);
  const message = part("#prompt-message", HTMLElement);
  const button = part("#new-task button", HTMLButtonElement);

  const start = async (): Promise<void> => {
    message.textContent = "";
    button.disabled = true;
    try {
      const task = await deps.client.createTask(prompt.value);
      prompt.value = "";
      deps.created(task);
    } catch (error) {
      deps.failed(message, error);
    } finally {
      button.disabled = false;
    }
  };

  form.addEventListener(
    "submit",
    (event) => {
      event.preventDefault();
      if (!button.disabled) void start();
    },
    { signal: deps.signal },
  );
  prompt.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      form.requestSubmit();
    },
    { signal: deps.signal },
  );
  prompt.focus();
}
