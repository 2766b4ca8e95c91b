import { stoppedBy } from "@deputy/agent";
import type { TaskDetail } from "@deputy/protocol";
import type { TaskConnection } from "@deputy/client";
import { EXIT, type ExitCode } from "./output/exit-code.ts";
import { followTask } from "./follow-task.ts";

/**
 * Follows the task to its end, and reports how it went. When it is stopped, it cancels the task and follows it to its
 * end, which is then near.
 */
export async function followUntilStopped(
  connection: TaskConnection,
  deps: Parameters<typeof followTask>[1],
  invocation: { readonly signal: AbortSignal; readonly onBug: (error: unknown) => void },
): Promise<{ readonly exit: ExitCode; readonly task: TaskDetail }> {
  const { signal, onBug } = invocation;
  // Not the invocation's: also what is left to do after a stop has to be done.
  const own = new AbortController();
  const cancel = (): void =>
    void connection.cancel(stoppedBy(signal), own.signal).catch((error: unknown) => {
      if (!own.signal.aborted) onBug(error);
    });
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    const exit = await followTask(connection, deps, own.signal);
    const task = await connection.ended(own.signal);
    return { exit: exit === EXIT.done && task.status !== "succeeded" ? EXIT.failed : exit, task };
  } finally {
    signal.removeEventListener("abort", cancel);
    own.abort();
  }
}
