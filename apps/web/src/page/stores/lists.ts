import type { Health, Notice, PendingApproval, StandingGrant, Task } from "@deputy/protocol";
import type { ListedSession, RpcResult } from "@deputy/protocol/rpc";
import { type ReadonlySignal, signal } from "@preact/signals-core";
import type { Connection } from "../wire/connection.ts";
import { RequestFailed } from "../wire/request-failed.ts";

/** Everything that lists show, kept as the daemon has it. Absent: not loaded yet. */
export interface Lists {
  /** The one in which something happened last comes first. */
  readonly sessions: ReadonlySignal<readonly ListedSession[] | undefined>;
  readonly approvals: ReadonlySignal<readonly PendingApproval[] | undefined>;
  readonly grants: ReadonlySignal<readonly StandingGrant[] | undefined>;
  readonly tasks: ReadonlySignal<readonly Task[] | undefined>;
  /** How far the time by which tasks are due is ahead of the clock's: the demo's days can pass faster. */
  readonly dueAheadMs: ReadonlySignal<number>;
  readonly notices: ReadonlySignal<readonly Notice[] | undefined>;
  readonly agents: ReadonlySignal<RpcResult<"agents.list">["agents"]>;
  readonly health: ReadonlySignal<Health | undefined>;
  /** The daemon has a memory that can be searched. */
  readonly hasMemory: ReadonlySignal<boolean>;
  /** Which model answers; null where nobody may know. */
  readonly model: ReadonlySignal<RpcResult<"models.status"> | null | undefined>;
}

const MOST_SESSIONS = 200;
/** Less than this is two clocks that do not quite agree. */
const AHEAD_AT_LEAST_MS = 60_000;

export function openLists(connection: Connection, life: AbortSignal): Lists {
  const sessions = signal<readonly ListedSession[] | undefined>(undefined);
  const approvals = signal<readonly PendingApproval[] | undefined>(undefined);
  const grants = signal<readonly StandingGrant[] | undefined>(undefined);
  const tasks = signal<readonly Task[] | undefined>(undefined);
  const dueAheadMs = signal(0);
  let hasDemo = true;
  const notices = signal<readonly Notice[] | undefined>(undefined);
  const agents = signal<RpcResult<"agents.list">["agents"]>([]);
  const health = signal<Health | undefined>(undefined);
  // Most have one: a place that appears later would move those below it.
  const hasMemory = signal(true);
  const model = signal<RpcResult<"models.status"> | null | undefined>(undefined);

  const readDemoTime = async (): Promise<void> => {
    if (!hasDemo) return;
    try {
      const { now } = await connection.call("demo.speed", {});
      const aheadMs = Date.parse(now) - Date.now();
      dueAheadMs.value = aheadMs > AHEAD_AT_LEAST_MS ? aheadMs : 0;
    } catch (error) {
      if (!isRefused(error)) throw error;
      // Without the demo there is one time. A daemon that has another model has another connection.
      hasDemo = false;
      dueAheadMs.value = 0;
    }
  };

  let areAllDue = true;
  const changed = new Set<string>();
  const readSessions = async (): Promise<void> => {
    const ids = [...changed];
    changed.clear();
    if (areAllDue || ids.length > MOST_SESSIONS) {
      areAllDue = false;
      sessions.value = (await connection.call("sessions.list", { limit: MOST_SESSIONS })).sessions;
    } else if (ids.length > 0) {
      const { sessions: fresh } = await connection.call("sessions.list", { ids: ids as never });
      const others = (sessions.peek() ?? []).filter(({ id }) => !ids.includes(id));
      sessions.value = [...fresh, ...others].toSorted((a, b) => b.lastAt.localeCompare(a.lastAt));
    }
  };

  const loaders = {
    sessions: async () => {
      try {
        await readSessions();
      } catch (error) {
        areAllDue = true;
        throw error;
      }
    },
    approvals: async () => {
      approvals.value = (await connection.call("exec.pending", {})).approvals;
    },
    grants: async () => {
      grants.value = (await connection.call("exec.grants", {})).grants;
    },
    tasks: async () => {
      const [listed] = await Promise.all([connection.call("tasks.list", {}), readDemoTime()]);
      tasks.value = listed.tasks;
    },
    notices: async () => {
      notices.value = (await connection.call("notices.list", {})).notices;
    },
    agents: async () => {
      agents.value = (await connection.call("agents.list", {})).agents;
    },
    memory: async () => {
      try {
        const { value } = await connection.call("config.get", { key: "memory.enabled" });
        hasMemory.value = value === true;
      } catch (error) {
        if (!isRefused(error)) throw error;
        hasMemory.value = false;
      }
    },
    health: async () => {
      health.value = await connection.call("health.check", {});
    },
    model: async () => {
      try {
        model.value = await connection.call("models.status", {});
      } catch (error) {
        if (!isRefused(error)) throw error;
        model.value = null;
      }
    },
  };
  /** One load of a list at a time; what changes meanwhile is loaded after it. */
  const busy = new Map<string, "loading" | "again">();
  const load = (name: keyof typeof loaders): void => {
    if (busy.has(name)) {
      busy.set(name, "again");
      return;
    }
    busy.set(name, "loading");
    loaders[name]()
      .catch(ignoreRefusal)
      .finally(() => {
        const isAgain = busy.get(name) === "again";
        busy.delete(name);
        if (isAgain && !life.aborted) load(name);
      })
      .catch(() => undefined);
  };

  const begin = (): void => {
    hasDemo = true;
    areAllDue = true;
    connection.call("changes.subscribe", {}).catch(ignoreRefusal);
    for (const name of Object.keys(loaders) as (keyof typeof loaders)[]) load(name);
  };
  connection.onOpen(begin, life);
  connection.onPush((push) => {
    if (push.event !== "changed") return;
    const { sessions: ids, channels: _, ...kinds } = push.data;
    for (const id of ids) changed.add(id);
    if (ids.length > 0) load("sessions");
    for (const [name, isChanged] of Object.entries(kinds) as [keyof typeof kinds, boolean][])
      if (isChanged) load(name);
  }, life);

  return { sessions, approvals, grants, tasks, dueAheadMs, notices, agents, health, hasMemory, model };
}

/** The daemon answered that it does not do this. */
function isRefused(error: unknown): boolean {
  return error instanceof RequestFailed && !["no_answer", "not_sent"].includes(error.code);
}

/** A lost connection loads everything again when it is back. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof RequestFailed)) throw error;
}
