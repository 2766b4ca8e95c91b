import type { TaskId } from "@deputy/kit";
import type { EventLog, Task } from "@deputy/protocol";
import { describeTask, type TaskChange, type TaskService } from "@deputy/tasks";
import { createNoticesReader, readStory } from "@deputy/tasks/readers";
import { GatewayError } from "../../gateway-error.ts";
import { cancelTask, changeTask, MOST_LINES, refuseUnlessAllowed } from "../../routes/tasks-routes.ts";
import type { RpcHandlers } from "../rpc-context.ts";

type TasksNames =
  | "tasks.create"
  | "tasks.list"
  | "tasks.get"
  | "tasks.history"
  | "tasks.preview"
  | "notices.list"
  | "tasks.pause"
  | "tasks.resume"
  | "tasks.run"
  | "tasks.edit"
  | "tasks.cancel";

const SHOWN_SLOTS = 3;

export function tasksHandlers(deps: {
  readonly tasks: TaskService;
  readonly log: EventLog;
}): RpcHandlers<TasksNames> {
  const { tasks, log } = deps;
  const notices = createNoticesReader(log);
  const find = async (id: TaskId): Promise<Task> => {
    const task = await tasks.get(id);
    if (task === undefined) throw new GatewayError("not_found", "There is no such task");
    return task;
  };
  const change = async (id: TaskId, what: TaskChange, by: string): Promise<Task> => {
    await changeTask(tasks, (await find(id)).id, what, by);
    return await find(id);
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
    "tasks.preview": async ({ schedule: said, zone, count = SHOWN_SLOTS }) => {
      const { next, ...preview } = tasks.preview(said, { zone: zone ?? ownZone(), count });
      return { ...preview, next: [...next] };
    },
    "notices.list": async () => ({ notices: await notices.newest() }),
    "tasks.pause": ({ taskId }, { caller }) => change(taskId, { kind: "pause" }, caller.name),
    "tasks.resume": ({ taskId }, { caller }) => change(taskId, { kind: "resume" }, caller.name),
    "tasks.run": ({ taskId }, { caller }) => change(taskId, { kind: "run" }, caller.name),
    "tasks.edit": ({ taskId, ...wanted }, { caller }) =>
      change(taskId, { kind: "edit", ...wanted }, caller.name),
    "tasks.cancel": async ({ taskId }, { caller }) => {
      await cancelTask(tasks, (await find(taskId)).id, caller.name);
      return await find(taskId);
    },
  };
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
