import { parseId } from "@deputy/kit";
import { createTaskSchema, type EventLog, type Task } from "@deputy/protocol";
import type { TaskService } from "@deputy/tasks";
import { GatewayError } from "../gateway-error.ts";
import { created, ok, type OpenRequest, type Route } from "../route.ts";
import { readCursor, taskEventFrames } from "../task-event-frames.ts";
import { validate } from "../validate.ts";

export function tasksRoutes(deps: { readonly tasks: TaskService; readonly log: EventLog }): readonly Route[] {
  const { tasks, log } = deps;

  const taskOf = async (request: OpenRequest): Promise<Task> => {
    const id = parseId("task", request.params["id"] ?? "");
    const task = id === undefined ? undefined : await tasks.get(id);
    if (task === undefined) throw new GatewayError("not_found", "There is no such task");
    return task;
  };

  return [
    {
      method: "POST",
      path: "/api/tasks",
      auth: "bearer",
      handle: async ({ body }) => created(await tasks.create(validate(createTaskSchema, body))),
    },
    {
      method: "GET",
      path: "/api/tasks",
      auth: "bearer",
      handle: async () => ok({ tasks: await tasks.list() }),
    },
    {
      method: "GET",
      path: "/api/tasks/:id",
      auth: "bearer",
      handle: async (request) => ok(await taskOf(request)),
    },
    {
      method: "GET",
      path: "/api/tasks/:id/events",
      auth: "bearer",
      handle: async (request) => {
        const task = await taskOf(request);
        const after = await readCursor(log, task, request.lastEventId);
        return { kind: "event_stream", frames: taskEventFrames(log, task, after) };
      },
    },
    {
      method: "POST",
      path: "/api/tasks/:id/cancel",
      auth: "bearer",
      handle: async (request) => {
        const task = await taskOf(request);
        const outcome = await tasks.cancel(task.id, request.caller.name);
        if (outcome.kind === "already_ended" && outcome.status !== "cancelled") {
          throw new GatewayError("task_already_ended", `The task has already ${outcome.status}`);
        }
        return ok(await taskOf(request));
      },
    },
  ];
}
