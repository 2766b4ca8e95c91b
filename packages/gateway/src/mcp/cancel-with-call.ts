import type { Task } from "@deputy/protocol";
import type { TaskService } from "@deputy/tasks";
import type { ServerContext } from "@modelcontextprotocol/server";
import { answeredBy } from "./ask-client.ts";
import type { McpClient } from "./build-server.ts";

/**
 * Cancels the task when its call is cancelled: by a message in the older protocol, by leaving in the newer.
 * A gateway that stops and a session that is forgotten cancel nothing.
 */
export function cancelWithCall(
  deps: {
    readonly tasks: Pick<TaskService, "cancel">;
    readonly client: McpClient;
    readonly onBug: (error: unknown) => void;
  },
  task: Pick<Task, "id">,
  ctx: ServerContext,
): AsyncDisposable {
  const { signal } = ctx.mcpReq;
  let cancelled: Promise<unknown> | undefined;
  const cancel = (): void => {
    if (!deps.client.leaves.aborted)
      cancelled = deps.tasks.cancel(task.id, answeredBy(ctx)).catch(deps.onBug);
  };
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  return {
    async [Symbol.asyncDispose]() {
      signal.removeEventListener("abort", cancel);
      await cancelled;
    },
  };
}
