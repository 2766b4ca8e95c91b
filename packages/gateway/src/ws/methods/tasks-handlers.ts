import type { TaskId } from "@deputy/kit";
import type { EventLog, Task } from "@deputy/protocol";
import { describeTask, type TaskService } from "@deputy/tasks";
import { GatewayError } from "../../gateway-error.ts";
import { cancelTask, refuseUnlessAllowed } from "../../routes/tasks-routes.ts";
import type { RpcHandlers } from "../rpc-context.ts";

export function tasksHandlers(deps: {
  readonly tasks: TaskService;
  readonly log: EventLog;
}): RpcHandlers<"tasks.create" | "tasks.list" | "tasks.get" | "tasks.cancel"> {
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
    "tasks.get": async ({ taskId }) => await describeTask(log, await find(taskId)),
    "tasks.cancel": async ({ taskId }, { caller }) => {
      await cancelTask(tasks, (await find(taskId)).id, caller.name);
      return await find(taskId);
    },
  };
}
