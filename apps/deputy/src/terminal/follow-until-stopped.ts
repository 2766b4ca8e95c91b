import type { TaskConnection } from "../client/task-connection.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Invocation } from "../invocation.ts";
import { followTask } from "./follow-task.ts";

/** Follows to the end; when told to stop, cancels the task and follows it to its (then near) end. */
export async function followUntilStopped(
  connection: TaskConnection,
  deps: Parameters<typeof followTask>[1],
  invocation: Pick<Invocation, "signal" | "onBug">,
): Promise<ExitCode> {
  const { signal, onBug } = invocation;
  const cancel = (): void => void connection.cancel().catch(onBug);
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await followTask(connection, deps, new AbortController().signal);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
