import type { SessionId } from "@deputy/kit";
import {
  type CanonicalEvent,
  type EventData,
  type EventLog,
  isSessionStream,
  type IndexedEventType,
  isTurnEndType,
  readEvent,
  type StreamId,
} from "@deputy/protocol";
import { createLogView } from "../views/log-view.ts";

/** A session as the log's indexed events describe it. */
export interface SessionEntry extends EventData<"session.started"> {
  readonly id: SessionId;
  readonly startedAt: string;
  /** When a turn last began or ended in it, or it itself. */
  readonly lastAt: string;
  readonly turns: number;
  /** It is a task's own; its key only says where results are delivered. */
  readonly isTask: boolean;
  /** The user's name for it; absent: it has none. */
  readonly name?: string;
  /** Absent where nobody looked. */
  readonly isArchived?: boolean;
  /** Turns that have begun and not ended; absent where nobody looked. */
  readonly openTurns?: number;
}

export interface SessionIndex {
  /** The one in which something happened last comes first. */
  newestFirst(): Promise<readonly SessionEntry[]>;
  get(id: StreamId): Promise<SessionEntry | undefined>;
  /** The one with that key that was started last, tasks' own aside. */
  newestWith(key: string, agentId?: string): Promise<SessionEntry | undefined>;
}

type Draft = { -readonly [K in keyof SessionEntry]: SessionEntry[K] };
interface Sessions {
  readonly byId: Map<StreamId, Draft>;
  /** In the order in which something last happened in them. */
  readonly recent: Set<StreamId>;
  /** The tasks' own, the oldest first. */
  readonly tasks: Set<StreamId>;
}

const SESSION_EVENTS: ReadonlySet<IndexedEventType> = new Set<IndexedEventType>([
  "session.started",
  "session.updated",
  "turn.started",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
  "task.created",
]);

function createSessions(): Sessions {
  return { byId: new Map(), recent: new Set(), tasks: new Set() };
}

/**
 * The view keeps this many sessions of tasks. Older ones are found by their id only: no user pages through thousands.
 */
const REMEMBERED_TASKS = 1_000;

/** Kept in memory, a few lines per conversation, and for the newest tasks; each look reads only what is new. */
export function createSessionIndex(log: Pick<EventLog, "readAll" | "read" | "snapshots">): SessionIndex {
  const view = createLogView<Sessions>(log, [...SESSION_EVENTS], createSessions(), apply, {
    name: "sessions 3",
  });
  const state = async (): Promise<Sessions> => (await view.current()).state;
  return {
    async newestFirst() {
      const { byId, recent } = await state();
      return [...recent].toReversed().flatMap((id) => byId.get(id) ?? []);
    },
    async get(id) {
      const { byId, tasks } = await state();
      const known = byId.get(id);
      if (known !== undefined || tasks.size < REMEMBERED_TASKS) return known;
      const own = createSessions();
      for await (const stored of log.read(id)) {
        const read = readEvent(stored);
        if (read.kind === "known" && (SESSION_EVENTS as ReadonlySet<string>).has(stored.type))
          apply(own, read.event);
      }
      return own.byId.get(id);
    },
    async newestWith(key, agentId) {
      const fits = (entry: SessionEntry): boolean =>
        entry.key === key && !entry.isTask && (agentId === undefined || entry.agentId === agentId);
      return [...(await state()).byId.values()].findLast(fits);
    },
  };
}

function apply({ byId, recent, tasks }: Sessions, event: CanonicalEvent): void {
  const { stream, at } = event;
  if (!isSessionStream(stream)) return;
  if (event.type === "session.started" && !byId.has(stream))
    byId.set(stream, {
      id: stream,
      startedAt: at,
      lastAt: at,
      turns: 0,
      openTurns: 0,
      isTask: false,
      isArchived: false,
      ...event.data,
    });
  const entry = byId.get(stream);
  if (entry === undefined) return;
  if (event.type === "session.updated") {
    const { title, archived, model, effort, deleted } = event.data;
    if (title === null) delete entry.name;
    else if (title !== undefined) entry.name = title;
    if (model === null) delete entry.model;
    else if (model !== undefined) entry.model = model;
    if (effort === null) delete entry.effort;
    else if (effort !== undefined) entry.effort = effort;
    if (archived !== undefined) entry.isArchived = archived;
    // What happens in it later, if anything still does, finds no entry.
    if (deleted === true) for (const known of [byId, recent, tasks]) known.delete(stream);
    return;
  }
  entry.lastAt = at;
  if (event.type === "turn.started") {
    entry.turns += 1;
    entry.openTurns = (entry.openTurns ?? 0) + 1;
    // Somebody goes on with it.
    entry.isArchived = false;
  }
  if (isTurnEndType(event.type)) entry.openTurns = Math.max(0, (entry.openTurns ?? 0) - 1);
  if (event.type === "task.created") entry.isTask = true;
  recent.delete(stream);
  recent.add(stream);
  if (!entry.isTask) return;
  // One that runs again and again stays among the newest.
  tasks.delete(stream);
  tasks.add(stream);
  const [oldest] = tasks;
  if (oldest === undefined || tasks.size <= REMEMBERED_TASKS) return;
  for (const known of [byId, recent, tasks]) known.delete(oldest);
}
