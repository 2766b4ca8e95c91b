import { type Clock, isAbort, retry, type RetryPolicy, throwIfAborted } from "@deputy/kit";
import type { CreateTask, Task, TaskEvent } from "@deputy/protocol";
import {
  problemSchema,
  signInCodeSchema,
  taskDetailSchema,
  taskEventSchema,
  taskSchema,
} from "@deputy/protocol/wire";
import { findWriter } from "@deputy/store/sqlite";
import type { z } from "zod";
import { ClientError } from "./client-error.ts";
import { readDaemonFile } from "./daemon-file.ts";
import { refusalOf } from "./daemon-refusal.ts";
import { readServerSentEvents } from "./server-sent-events.ts";
import type { TaskConnection } from "./task-connection.ts";

/** The parts of a request. */
interface Request {
  readonly method?: "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface DaemonClient {
  /**
   * Never retried: after a lost answer it is unknown whether the task was created. An abort does not interrupt it,
   * because then the created task could not be cancelled: the answer may take `LAST_ANSWER_MS`, else it throws
   * `daemon_gone`.
   */
  createTask(request: CreateTask, signal: AbortSignal): Promise<Task>;
  connect(task: Task): TaskConnection;
  /** A code for a link that opens the page signed in, once, within two minutes. */
  signInCode(signal: AbortSignal): Promise<string>;
  /** Sends a decision. Safe to repeat; throws `already_decided` if it was decided differently, or too late. */
  act(path: string, body: unknown, signal: AbortSignal): Promise<void>;
  /** Sends something that is answered, and may be done twice. `body` absent: a GET. */
  ask<T>(path: string, answer: z.ZodType<T>, body: unknown, signal: AbortSignal): Promise<T>;
}

/** Long: it is known to be alive, and a machine with much to do makes it slow. */
const HEALTH_TIMEOUT_MS = 10_000;

/** Somebody else answered or cancelled first, or it is too late: either way it is settled. */
const ALREADY_SO: ReadonlySet<number> = new Set([409, 410]);

/** The answer does not fit its question, which is still open. */
const MISFIT = 400;

/** How long a user who has pressed stop waits for the id of the task to stop. */
const LAST_ANSWER_MS = 5_000;

const RECONNECT_MS = 500;

const MAX_RECONNECTS = 20;

/** For requests that may safely be sent twice. */
const REPEAT: RetryPolicy = { attempts: 5, baseMs: 250, maxMs: 2_000, retryable: isGone };

/**
 * The address of the home's running daemon; undefined if none answers. Never throws. A killed daemon leaves
 * its file behind, and any program may take its port: only the holder of the home's lock is trusted.
 */
export async function findDaemon(home: string): Promise<string | undefined> {
  const daemon = readDaemonFile(home);
  if (daemon === undefined || findWriter({ directory: home })?.pid !== daemon.pid) return undefined;
  const { url } = daemon;
  try {
    const response = await fetch(new URL("/health", url), { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return response.ok ? url : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Talks to a running daemon over its REST routes. Throws `daemon_refused` with the daemon's own message, a
 * `ToolsError` for a plugin that it could not load, or `daemon_gone`; an abort rejects with the signal's reason.
 */
export function createDaemonClient(deps: {
  readonly url: string;
  readonly token: string;
  readonly clock: Clock;
}): DaemonClient {
  const request = async (
    path: string,
    init: Request,
    signal: AbortSignal,
    alsoTaken?: number,
  ): Promise<Response> => {
    const headers = { authorization: `Bearer ${deps.token}`, ...init.headers };
    const response = await fetch(new URL(path, deps.url), { ...init, headers, signal }).catch(
      (cause: unknown): never => {
        throw isAbort(cause) ? cause : gone(cause);
      },
    );
    if (response.ok || ALREADY_SO.has(response.status) || response.status === alsoTaken) return response;
    const problem = problemSchema.safeParse(await response.json().catch(() => undefined)).data;
    throw refusalOf(problem, response.status);
  };
  const post = (path: string, body: unknown, signal: AbortSignal, alsoTaken?: number): Promise<Response> =>
    request(
      path,
      { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
      signal,
      alsoTaken,
    );
  const repeat = (signal: AbortSignal, send: () => Promise<Response>): Promise<Response> =>
    retry(deps, REPEAT, signal, send);

  async function* follow(taskId: string, signal: AbortSignal) {
    let after: string | undefined;
    for (let failures = 0; ;) {
      try {
        const group: TaskEvent[] = [];
        const headers = after === undefined ? {} : { "last-event-id": after };
        const response = await request(`/api/tasks/${taskId}/events`, { headers }, signal);
        for await (const message of readServerSentEvents(response)) {
          failures = 0;
          after = message.id ?? after;
          const event = taskEventSchema.safeParse(JSON.parse(message.data));
          if (event.success) group.push(event.data); // Otherwise it comes from a newer daemon and is skipped.
          if (message.id === undefined) continue; // The group is not complete yet, and would come again after a break.
          yield* group.splice(0);
          if (event.data?.type === "completed") return;
        }
      } catch (error) {
        if (signal.aborted || isAbort(error)) throw error;
        if (error instanceof ClientError && !isGone(error)) throw error;
      }
      failures += 1;
      if (failures > MAX_RECONNECTS) throw gone(undefined);
      await deps.clock.sleep(RECONNECT_MS, signal);
    }
  }

  return {
    async createTask(task, signal) {
      throwIfAborted(signal);
      using grace = openGraceSignal(deps.clock, signal, LAST_ANSWER_MS);
      try {
        return await read(taskSchema, await post("/api/tasks", task, grace.signal));
      } catch (error) {
        throw grace.signal.aborted ? unanswered(error) : error;
      }
    },
    async signInCode(signal) {
      return (await read(signInCodeSchema, await post("/api/sign-in/codes", {}, signal))).code;
    },
    async act(path, body, signal) {
      const response = await repeat(signal, () => post(path, body, signal));
      if (response.ok) return;
      const problem = problemSchema.safeParse(await response.json().catch(() => undefined)).data;
      throw new ClientError("already_decided", problem?.detail ?? "It was decided before");
    },
    ask: async (path, answer, body, signal) =>
      await read(
        answer,
        await repeat(signal, () =>
          body === undefined ? request(path, {}, signal) : post(path, body, signal),
        ),
      ),
    connect: (task) => ({
      events: (signal) => follow(task.id, signal),
      async answer(id, answer, signal) {
        const response = await repeat(signal, () => post(`/api/approvals/${id}`, answer, signal, MISFIT));
        if (response.status !== MISFIT) return undefined;
        const problem = problemSchema.safeParse(await response.json().catch(() => undefined)).data;
        return problem?.detail ?? "The answer does not fit the question";
      },
      // The daemon records who it was from the sign-in.
      async cancel(_by, signal) {
        await repeat(signal, () => post(`/api/tasks/${task.id}/cancel`, {}, signal));
      },
      async ended(signal) {
        const response = await repeat(signal, () => request(`/api/tasks/${task.id}`, {}, signal));
        return await read(taskDetailSchema, response);
      },
    }),
  };
}

async function read<T>(schema: z.ZodType<T>, response: Response): Promise<T> {
  const body = schema.safeParse(await response.json().catch(() => undefined));
  if (body.success) return body.data;
  throw new ClientError("daemon_refused", "The daemon gave an answer that this command does not understand", {
    cause: body.error,
    hint: "It may be another version. Stop it and start it again.",
  });
}

function unanswered(cause: unknown): ClientError {
  return new ClientError("daemon_gone", "Stopped before the daemon confirmed that the task had begun", {
    cause,
    hint: "`deputy tasks` shows whether it did, and `deputy tasks cancel` stops it.",
  });
}

function gone(cause: unknown): ClientError {
  return new ClientError("daemon_gone", "The daemon can no longer be reached", {
    cause,
    hint: "Once it runs again, its page shows how the task ended.",
  });
}

function isGone(error: unknown): boolean {
  return error instanceof ClientError && error.code === "daemon_gone";
}

/** Aborts `graceMs` after the given signal did; never once it is disposed. */
interface GraceSignal extends Disposable {
  readonly signal: AbortSignal;
}

function openGraceSignal(clock: Clock, signal: AbortSignal, graceMs: number): GraceSignal {
  const over = new AbortController();
  const disposed = new AbortController();
  const wait = (): void => {
    clock.sleep(graceMs, disposed.signal).then(
      () => over.abort(signal.reason),
      () => undefined,
    );
  };
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait, { once: true });
  return {
    signal: over.signal,
    [Symbol.dispose]() {
      signal.removeEventListener("abort", wait);
      disposed.abort();
    },
  };
}
