import { type Clock, isAbort } from "@deputy/kit";
import {
  type CreateTask,
  problemSchema,
  type Task,
  type TaskEvent,
  taskEventSchema,
  taskSchema,
} from "@deputy/protocol";
import { AppError } from "../app-error.ts";
import { readDaemonFile } from "./daemon-file.ts";
import { readServerSentEvents } from "./server-sent-events.ts";
import type { TaskConnection } from "./task-connection.ts";

/** What a request is made of here. */
type Request = Omit<RequestInit, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

export interface DaemonClient {
  createTask(request: CreateTask): Promise<Task>;
  connect(task: Task): TaskConnection;
}

const HEALTH_TIMEOUT_MS = 2_000;
/** Somebody else answered or cancelled first, or it is too late: what was wanted is settled. */
const ALREADY_SO: ReadonlySet<number> = new Set([409, 410]);
const RECONNECT_MS = 500;
const MAX_RECONNECTS = 20;

/** The address of the home's running daemon; undefined when none answers. Never throws. */
export async function findDaemon(home: string): Promise<string | undefined> {
  const url = readDaemonFile(home)?.url;
  if (url === undefined) return undefined;
  try {
    const response = await fetch(new URL("/health", url), { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return response.ok ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Talks to a running daemon over its REST routes. Throws `daemon_refused` with the daemon's own words. */
export function createDaemonClient(deps: {
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
}): DaemonClient {
  const request = async (path: string, init: Request): Promise<Response> => {
    const headers = { authorization: `Bearer ${deps.token}`, ...init.headers };
    const response = await fetch(new URL(path, deps.url), { ...init, headers });
    if (response.ok || ALREADY_SO.has(response.status)) return response;
    const problem = problemSchema.safeParse(await response.json().catch(() => undefined)).data;
    throw new AppError(
      "daemon_refused",
      problem?.detail ?? problem?.title ?? `The daemon answered ${response.status}`,
      problem?.hint === undefined ? {} : { hint: problem.hint },
    );
  };
  const post = (path: string, body: unknown): Promise<Response> =>
    request(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });

  async function* follow(taskId: string, signal: AbortSignal) {
    let after: string | undefined;
    for (let failures = 0; ;) {
      try {
        const group: TaskEvent[] = [];
        const headers = after === undefined ? {} : { "last-event-id": after };
        const response = await request(`/api/tasks/${taskId}/events`, { headers, signal });
        for await (const message of readServerSentEvents(response)) {
          failures = 0;
          after = message.id ?? after;
          const event = taskEventSchema.safeParse(JSON.parse(message.data));
          if (event.success) group.push(event.data); // Else from a newer daemon: passed over.
          if (message.id === undefined) continue; // The group is not whole yet, and would come again after a break.
          yield* group.splice(0);
          if (event.data?.type === "completed") return;
        }
      } catch (error) {
        if (signal.aborted || isAbort(error) || error instanceof AppError) throw error;
      }
      failures += 1;
      if (failures > MAX_RECONNECTS)
        throw new AppError("daemon_gone", "The daemon can no longer be reached", {
          hint: "The task may still be running; see `deputy tasks`.",
        });
      await deps.clock.sleep(RECONNECT_MS, signal);
    }
  }

  return {
    async createTask(task) {
      return taskSchema.parse(await (await post("/api/tasks", task)).json());
    },
    connect: (task) => ({
      events: (signal) => follow(task.id, signal),
      async answer(id, answer) {
        await post(`/api/approvals/${id}`, answer);
      },
      async cancel() {
        await post(`/api/tasks/${task.id}/cancel`, {});
      },
    }),
  };
}
