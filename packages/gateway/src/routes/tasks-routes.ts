import { parseId, type TaskId } from "@deputy/kit";
import {
  type CreateTask,
  type EventLog,
  projectTaskEvents,
  type StoredEvent,
  type Task,
} from "@deputy/protocol";
import {
  createTaskSchema,
  editTaskSchema,
  taskDetailSchema,
  taskEventSchema,
  taskListSchema,
  taskSchema,
  taskStorySchema,
} from "@deputy/protocol/wire";
import { describeTask, type TaskChange, type TaskService } from "@deputy/tasks";
import { readStory } from "@deputy/tasks/readers";
import { groupFrame, readCursor } from "../event-frame.ts";
import { GatewayError } from "../gateway-error.ts";
import { type Caller, created, ok, type OpenRequest, type Route } from "../route.ts";
import { events, json } from "../route-doc.ts";
import { validate } from "../validate.ts";
import type { FeedStep, FrameFeed } from "../feeds/frame-feed.ts";

/** The most lines of a history that one request gets. */
export const MOST_LINES = 1_000;

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
      doc: {
        summary: "Create a task from a prompt or a program",
        body: createTaskSchema,
        answers: { 201: json(taskSchema) },
      },
      handle: async ({ body, caller }) => {
        const request = validate(createTaskSchema, body);
        refuseUnlessAllowed(request, caller);
        return created(await tasks.create(request));
      },
    },
    {
      method: "GET",
      path: "/api/tasks",
      auth: "bearer",
      doc: {
        summary: "All tasks",
        query: { requesterId: { description: "Only those that this one asked for", pattern: ".+" } },
        answers: { 200: json(taskListSchema) },
      },
      handle: async ({ query }) => {
        const requester = query.get("requesterId");
        const all = await tasks.list();
        return ok({
          tasks: requester === null ? all : all.filter(({ requesterId }) => requesterId === requester),
        });
      },
    },
    {
      method: "GET",
      path: "/api/tasks/:id",
      auth: "bearer",
      doc: { summary: "A task, and its result", answers: { 200: json(taskDetailSchema) } },
      handle: async (request) => {
        const task = await taskOf(request);
        return ok({ ...(await describeTask(log, task)), ...(await tasks.plan(task.id)) });
      },
    },
    {
      method: "GET",
      path: "/api/tasks/:id/history",
      auth: "bearer",
      doc: { summary: "A task's history, in words", answers: { 200: json(taskStorySchema) } },
      handle: async (request) => {
        const { stream } = await taskOf(request);
        return ok({ lines: await readStory(log, stream, MOST_LINES) });
      },
    },
    {
      method: "GET",
      path: "/api/tasks/:id/events",
      auth: "bearer",
      doc: { summary: "A task's events, to its end", answers: { 200: events(taskEventSchema) } },
      handle: async (request) => {
        const task = await taskOf(request);
        const after = await readCursor(log, task.stream, request.lastEventId);
        return { kind: "event_feed", feed: taskFeed(log, task), after };
      },
    },
    {
      method: "POST",
      path: "/api/tasks/:id/cancel",
      auth: "bearer",
      doc: { summary: "Cancel a task", answers: { 200: json(taskSchema) } },
      handle: async (request) => {
        const task = await taskOf(request);
        await cancelTask(tasks, task.id, request.caller.name);
        return ok(await taskOf(request));
      },
    },
    ...(["pause", "resume", "run"] as const).map((kind): Route => ({
      method: "POST",
      path: `/api/tasks/:id/${kind}`,
      auth: "bearer",
      doc: { summary: CHANGES[kind], answers: { 200: json(taskSchema) } },
      handle: async (request) => {
        const task = await taskOf(request);
        await changeTask(tasks, task.id, { kind }, request.caller.name);
        return ok(await taskOf(request));
      },
    })),
    {
      method: "POST",
      path: "/api/tasks/:id/edit",
      auth: "bearer",
      doc: {
        summary: "Change what a task does, or when; it counts from the next run on",
        body: editTaskSchema,
        answers: { 200: json(taskSchema) },
      },
      handle: async (request) => {
        const wanted = validate(editTaskSchema, request.body);
        const task = await taskOf(request);
        await changeTask(tasks, task.id, { kind: "edit", ...wanted }, request.caller.name);
        return ok(await taskOf(request));
      },
    },
  ];
}

/** Cancelling again is no conflict. Rejects with `task_already_ended` for a task that ended in another way. */
export async function cancelTask(tasks: TaskService, id: TaskId, by: string): Promise<void> {
  const outcome = await tasks.cancel(id, by);
  if (outcome.kind === "already_ended" && outcome.status !== "cancelled")
    throw new GatewayError("task_already_ended", `The task has already ended: ${outcome.status}`);
}

const CHANGES = {
  pause: "Pause a task: what is due is skipped until it is resumed",
  resume: "Resume a paused task",
  run: "Run a task now, besides its schedule",
} as const;

/** Rejects with `task_already_ended`, and as `TaskService.change` does. */
export async function changeTask(
  tasks: TaskService,
  id: TaskId,
  change: TaskChange,
  by: string,
): Promise<void> {
  const outcome = await tasks.change(id, change, by);
  if (outcome.kind === "already_ended")
    throw new GatewayError("task_already_ended", `The task has already ended: ${outcome.status}`);
}

export function refuseUnlessAllowed({ prompt, program }: CreateTask, caller: Caller): void {
  if (prompt === undefined && program === undefined)
    throw new GatewayError("invalid_request", "prompt: is missing, and there is no program either");
  // Loading a plugin runs its code with the user's rights, outside the sandbox and the gate.
  if (program?.plugins !== undefined && !caller.isLocalProgram)
    throw new GatewayError(
      "plugins_not_allowed",
      "Only a program on this machine can name plugins, not a page or another machine",
      { hint: "Use `deputy exec --tools`, or name the plugin in toolSources of config.json" },
    );
}

/** A task's TaskEvents, through its `completed`. */
export function taskFeed(log: EventLog, { id, stream }: Pick<Task, "id" | "stream">): FrameFeed {
  return {
    key: `task ${id}`,
    transient: "none",
    async isOver(after) {
      if (after === 0) return false;
      for await (const event of log.read(stream)) {
        if (event.seq > after) return false;
        if (stepOf(event).isEnd) return true;
      }
      return false;
    },
    head: async () => (await log.head(stream))?.seq ?? 0,
    async *read(after, signal) {
      for await (const item of log.subscribe(stream, { after }, signal)) {
        if (item.kind === "delta") continue;
        const step = stepOf(item.event);
        yield step;
        if (step.isEnd) return;
      }
    },
  };
}

function stepOf(event: StoredEvent): FeedStep {
  const projected = projectTaskEvents(event);
  return {
    seq: event.seq,
    text: projected.length === 0 ? "" : groupFrame(projected, event.seq),
    isEnd: projected.some(({ type }) => type === "completed"),
    isSettled: true,
  };
}
