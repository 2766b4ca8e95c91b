import type { TaskId } from "@deputy/kit";
import type { EventLog, Task } from "@deputy/protocol";
import { describeTask, readStory, type TaskService } from "@deputy/tasks";
import { GatewayError } from "../../gateway-error.ts";
import { cancelTask, MOST_LINES, refuseUnlessAllowed } from "../../routes/tasks-routes.ts";
import type { RpcHandlers } from "../rpc-context.ts";

export function tasksHandlers(deps: {
  readonly tasks: TaskService;
  readonly log: EventLog;
}): RpcHandlers<"tasks.create" | "tasks.list" | "tasks.get" | "tasks.history" | "tasks.cancel"> {
  const { tasks, log } = deps;
  const find = async (id: TaskId): Promise<Task> => {
    const task = await tasks.get(id);
    if (task === undefined) throw new GatewayError("not_found", "There is no such task");
    return task;
  };
  return {
    "tasks.create": async (request, { caller }) => {
      refuseUnlessAllowed(request, caller);
      return await tasks.create(request);
    },
    "tasks.list": async () => ({ tasks: [...(await tasks.list())] }),
    "tasks.get": async ({ taskId }) => {
      const plan = await tasks.plan(taskId);
      const next = plan === undefined ? {} : { ...plan, next: [...plan.next] };
      return { ...(await describeTask(log, await find(taskId))), ...next };
    },
    "tasks.history": async ({ taskId }) => {
      const { stream } = await find(taskId);
      return { lines: await readStory(log, stream, MOST_LINES) };
    },
    "tasks.cancel": async ({ taskId }, { caller }) => {
      await cancelTask(tasks, (await find(taskId)).id, caller.name);
      return await find(taskId);
    },
  };
}
