import { createIdSource, createSystemClock, type IdSource } from "@deputy/kit";
import { HookNotFoundError, WorkflowRunNotFoundError, WorkflowWorldError } from "@workflow/errors";
import type { Event, World, ResolveData, QueueOptions } from "@workflow/world";
import { createEventWriter, type CreateEvent, SPEC_VERSION } from "./events/create-event.ts";
import { prune, RETENTION, type Retention } from "./prune.ts";
import { createDeliveryScope, type DeliveryScope } from "./queue/delivery.ts";
import { createDispatcher, type Dispatcher } from "./queue/dispatcher.ts";
import { type Failpoint, openWorldDatabase } from "./sqlite/database.ts";
import { createStreams } from "./streams.ts";
import type { WorldError } from "./world-error.ts";
import { createWorldStore, type WorldStore, WORKFLOW_PREFIX, wakeKey } from "./world-store.ts";

export interface SqliteWorldOptions {
  /** Its own file, created for its owner only. One process works in it at a time. */
  readonly path: string;
  readonly now: () => number;
  readonly ids?: IdSource;
  readonly failpoint?: Failpoint;
  /** Called once when the file has failed for good and must be closed and reopened. Must not throw. */
  readonly onFailed?: ((error: WorldError) => void) | undefined;
  readonly retention?: Retention;
  /** Called after each pruning with the number of ended runs that were removed. Must not throw. */
  readonly onPruned?: (runs: number) => void;
  /** Called for deliveries that failed unexpectedly; they are retried. */
  readonly onBug: (error: unknown) => void;
}

/** A World of Workflow DevKit: see SPEC.md. Disposing of it stops deliveries and closes the file. */
export interface SqliteWorld extends World, AsyncDisposable {
  start(): Promise<void>;
  close(): Promise<void>;
  /** For `openWorkflows`, which keeps its own tables in the same transactions. */
  readonly parts: {
    readonly store: WorldStore;
    readonly dispatcher: Dispatcher;
    readonly scope: DeliveryScope;
    readonly createEvent: CreateEvent;
  };
}

/** Prunes after this many runs have ended. */
const ENDS_PER_PRUNE = 50;

/** Throws `world_unusable`, `world_foreign` or `world_too_new`. */
export function openSqliteWorld(options: SqliteWorldOptions): SqliteWorld {
  const { now, failpoint = () => undefined, onBug, retention = RETENTION } = options;
  const ids = options.ids ?? createIdSource({ clock: { ...createSystemClock(), now } });
  const db = openWorldDatabase({ path: options.path, failpoint, onFailed: options.onFailed });
  const store = createWorldStore({ db, now, ids });
  const scope = createDeliveryScope(store.queue);
  const createEvent = createEventWriter({ store, assertLease: scope.assertLease });
  const worker = ids.next("event");
  const dispatcher = createDispatcher({ store, scope, createEvent, worker, onBug });
  const { runs, steps, events, hooks } = store;

  let ends = 0;
  store.watch((event) => {
    db.afterCommit(() => {
      dispatcher.pump();
      if (endsRun(event) && (ends += 1) % ENDS_PER_PRUNE === 0) setImmediate(pruneAll);
    });
  });
  let pruned = 0;
  const pruneAll = (): void => {
    try {
      const { runs: count, isMore } = isOpen ? prune(db, now(), retention) : { runs: 0, isMore: false };
      pruned += count;
      if (isMore) setImmediate(pruneAll);
      else if (pruned > 0) options.onPruned?.(pruned);
      if (!isMore) pruned = 0;
    } catch (error) {
      onBug(error);
    }
  };
  let isOpen = true;
  // For Worlds where runs seldom end.
  setImmediate(pruneAll);
  const close = async (): Promise<void> => {
    await dispatcher.stop();
    isOpen = false;
    db.close();
  };

  const world: Omit<World, keyof ReturnType<typeof createStreams>> = {
    specVersion: SPEC_VERSION,
    getDeploymentId: async () => "embedded",
    async queue(name, message, queueOptions) {
      const id = enqueue(store, name, message, queueOptions);
      dispatcher.pump();
      return { messageId: `msg_${id}` as NonNullable<Awaited<ReturnType<World["queue"]>>["messageId"]> };
    },
    createQueueHandler(prefix, handler) {
      dispatcher.handle(prefix, (message, { messageId, ...meta }) =>
        handler(message, { ...meta, messageId: messageId as Parameters<typeof handler>[1]["messageId"] }),
      );
      // Messages are delivered by function call, so this handles no requests.
      return async () => new Response(null, { status: 404 });
    },
    runs: {
      get: (async (id, params) => {
        const row = runs.get(id);
        if (row === undefined) throw new WorkflowRunNotFoundError(id);
        return withoutData(row.run, params?.resolveData);
      }) as World["runs"]["get"],
      list: (async (given) => {
        const params = given ?? {};
        const page = runs.list(params);
        return { ...page, data: page.data.map((run) => withoutData(run, params.resolveData)) };
      }) as World["runs"]["list"],
    },
    steps: {
      get: (async (runId, id, params) => {
        const step = steps.get(runId, id);
        if (step === undefined) throw new WorkflowWorldError(`Step "${id}" not found`, { status: 404 });
        return withoutData(step, params?.resolveData);
      }) as World["steps"]["get"],
      list: (async (params) => {
        const page = steps.list(params);
        return { ...page, data: page.data.map((step) => withoutData(step, params.resolveData)) };
      }) as World["steps"]["list"],
    },
    events: {
      create: async (runId: string | null, request, params) => {
        const result = createEvent(runId, request, params);
        return params?.resolveData === "none" && result.event !== undefined
          ? { ...result, event: withoutData(result.event, "none") }
          : result;
      },
      async get(runId, id, params) {
        const event = events.get(runId, id);
        if (event === undefined) throw new WorkflowWorldError(`Event "${id}" not found`, { status: 404 });
        return withoutData(event, params?.resolveData);
      },
      async list({ runId, pagination, resolveData }) {
        const page = events.list(runId, pagination);
        return { ...page, data: page.data.map((event) => withoutData(event, resolveData)) };
      },
      async listByCorrelationId({ correlationId, runId, pagination, resolveData }) {
        const page = events.listByCorrelation(correlationId, pagination);
        const data = page.data.filter((event) => runId === undefined || event.runId === runId);
        return { ...page, data: data.map((event) => withoutData(event, resolveData)) };
      },
    },
    hooks: {
      async get(id, params) {
        const hook = hooks.get(id);
        if (hook === undefined) throw new HookNotFoundError(id);
        return withoutData(hook, params?.resolveData);
      },
      async getByToken(token, params) {
        const hook = hooks.byToken(token);
        if (hook === undefined) throw new HookNotFoundError(token);
        return withoutData(hook, params?.resolveData);
      },
      async list(params) {
        const page = hooks.list(params);
        return { ...page, data: page.data.map((hook) => withoutData(hook, params.resolveData)) };
      },
    },
  };
  return {
    ...world,
    ...createStreams(db),
    async start() {
      dispatcher.start();
      setImmediate(pruneAll);
    },
    close,
    [Symbol.asyncDispose]: close,
    parts: { store, dispatcher, scope, createEvent },
  };
}

function endsRun({ eventType }: Event): boolean {
  return eventType === "run_completed" || eventType === "run_failed" || eventType === "run_cancelled";
}

/** The values that are left out for a reader who does not want data. */
const DATA = ["input", "output", "metadata", "eventData"] as const;

/** An entity or event, with or without data as `resolveData` says. */
function withoutData<T extends object>(value: T, resolveData: ResolveData | undefined): T {
  if (resolveData !== "none") return value;
  const present = DATA.filter((name) => name in value);
  return { ...value, ...Object.fromEntries(present.map((name) => [name, undefined])) };
}

/**
 * Queues a message unless one with its key waits; returns the id of either. A plain wake-up of a run has the
 * same key as wake-ups by events, so that a wake-up which Workflow DevKit requests after an event is already
 * there.
 */
function enqueue(store: WorldStore, name: string, message: object, options: QueueOptions = {}): number {
  const kind = name.startsWith(WORKFLOW_PREFIX) ? "workflow" : "step";
  const run = field(message, kind === "workflow" ? "runId" : "workflowRunId");
  const key = options.idempotencyKey ?? (isPlainWake(store, message) ? wakeKey(run ?? "") : undefined);
  const ready = store.now() + (options.delaySeconds ?? 0) * 1_000;
  return store.db.write("queue", "full", () =>
    store.queue.insert({ kind, name, run, key, ready, body: message }),
  );
}

function isPlainWake(store: WorldStore, message: object): boolean {
  const run = field(message, "runId");
  if (run === undefined || "replayDivergence" in message) return false;
  // If the run exists, it does not need the data that the message contains.
  return !("runInput" in message) || store.runs.get(run) !== undefined;
}

function field(message: object, name: string): string | undefined {
  const value: unknown = (message as Record<string, unknown>)[name];
  return typeof value === "string" ? value : undefined;
}
