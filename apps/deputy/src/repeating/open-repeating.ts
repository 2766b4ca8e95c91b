import { rename } from "node:fs/promises";
import { join } from "node:path";
import { type ApprovalDesk, StopRequest, SuspendRequest, type TurnRunner } from "@deputy/agent";
import type { Clock, CodedError, IdSource } from "@deputy/kit";
import type { EventLog } from "@deputy/protocol";
import {
  type Advance,
  advanceFiring,
  createRepeatingTasks,
  ON_TIME_MS,
  type openTasksView,
  type Outbox,
  type RepeatingTasks,
  type TaskRuns,
} from "@deputy/tasks";
import { createAsker, createMissedTeller, createReporter } from "./report-runs.ts";

/** Tasks that run later, over the home's own workflows, which are loaded with the first that runs. */
export function openRepeating(deps: {
  readonly home: string;
  readonly log: EventLog;
  readonly view: ReturnType<typeof openTasksView>;
  readonly turns: TurnRunner;
  readonly approvals: ApprovalDesk;
  readonly outbox: Pick<Outbox, "tell">;
  readonly clock: Clock;
  /** What tasks are due by, which may go by faster. */
  readonly dueBy: { readonly clock: Clock; readonly speed: number };
  readonly ids: IdSource;
  readonly defaultAgent: string;
  readonly assertAgent: (agentId: string) => Promise<void>;
  /** Of workflows that have ended: so many at most, and for so long. */
  readonly retention: { readonly runs: number; readonly days: number };
  readonly onBug: (error: unknown) => void;
  /** Told once when the workflows' file has failed for good. Must not throw. */
  readonly onFailed?: ((error: CodedError<string>) => void) | undefined;
  readonly signal: AbortSignal;
}): RepeatingTasks {
  const { home, onBug, onFailed, signal, dueBy, retention, ...shared } = deps;
  const onPruned = (count: number): void => {
    const reason = `ended more than ${retention.days} days ago, or before ${retention.runs} others`;
    const data = { what: "runs" as const, count, reason };
    deps.log.append("system", [{ type: "retention.pruned", data }]).catch(onBug);
  };
  return createRepeatingTasks({
    ...shared,
    clock: dueBy.clock,
    // By the machine's clock, whatever the other makes of it.
    onTimeMs: ON_TIME_MS * dueBy.speed,
    onBug,
    signal,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    advance: (entry, firing, stop, look) => advanceFiring({ ...deps, look }, entry, firing, stop),
    onEnded: createReporter(deps),
    onAsked: createAsker(deps),
    onMissed: createMissedTeller(deps),
    openRuns: (advance) =>
      openRuns(join(home, "work.db"), advance, { retention, onPruned, onBug, onFailed, signal }),
  });
}

async function openRuns(
  path: string,
  advance: Advance,
  options: {
    readonly retention: { readonly runs: number; readonly days: number };
    readonly onPruned: (runs: number) => void;
    readonly onBug: (error: unknown) => void;
    readonly onFailed?: ((error: CodedError<string>) => void) | undefined;
    readonly signal: AbortSignal;
  },
): Promise<TaskRuns> {
  const { onBug, signal } = options;
  await using opened = new AsyncDisposableStack();
  const { DeliveryStopped, openSqliteWorld, openWorkflows } = await import("@deputy/world");
  const world = opened.use(
    await openSound(() => openSqliteWorld({ path, now: Date.now, ...options }), path, onBug),
  );
  const workflows = opened.use(
    await openWorkflows({
      world,
      advance: async ({ taskId: key, firingId }, stop) => {
        using stopped = bridge(stop, (reason) =>
          reason instanceof DeliveryStopped && reason.reason === "cancelled"
            ? new StopRequest("owner")
            : new SuspendRequest(),
        );
        return await advance({ key, firingId }, stopped.signal);
      },
      // What ended is in the log before the workflow knows it.
      onEnded: async () => undefined,
      onBug,
      signal,
    }),
  );
  const owned = opened.move();
  return { ...workflows, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** The log says which runs there are: a file that cannot be read is put aside, and they begin anew. */
async function openSound<T>(open: () => T, path: string, onBug: (error: unknown) => void): Promise<T> {
  try {
    return open();
  } catch (error) {
    onBug(error);
    const aside = `${path}.damaged-${Date.now()}`;
    for (const end of ["", "-wal", "-shm"]) await rename(path + end, aside + end).catch(() => undefined);
    return open();
  }
}

/** Another signal, which says why in words of ours. */
function bridge(from: AbortSignal, translate: (reason: unknown) => Error) {
  const to = new AbortController();
  const stop = (): void => to.abort(translate(from.reason));
  if (from.aborted) stop();
  else from.addEventListener("abort", stop, { once: true });
  return { signal: to.signal, [Symbol.dispose]: () => from.removeEventListener("abort", stop) };
}
