import { createLogView } from "@deputy/agent";
import type { Clock, SessionId } from "@deputy/kit";
import { type Changed, type EventLog, type IndexedEventType, isSessionStream } from "@deputy/protocol";

/** Says what lists would show otherwise now. One reader of the log serves all connections, and none runs without any. */
export interface ChangeFeed {
  /** Calls `tell` from now on, at most every `TOGETHER_MS`, until the signal aborts. Rejects when the log does. */
  follow(tell: (changed: Changed) => void, signal: AbortSignal): Promise<void>;
}

/** Changes that come within this time are told together. */
const TOGETHER_MS = 50;

const WATCHED = [
  "session.started",
  "session.updated",
  "turn.started",
  "turn.completed",
  "turn.failed",
  "turn.aborted",
  "approval.requested",
  "approval.resolved",
  "grant.created",
  "grant.revoked",
  "task.created",
  "task.cancelled",
  "task.completed",
  "task.scheduled",
  "task.fired",
  "task.skipped",
  "task.paused",
  "task.resumed",
  "task.edited",
  "outbox.queued",
  "channel.unpaired",
  "channel.again",
] as const satisfies readonly IndexedEventType[];

interface Draft {
  readonly sessions: Set<SessionId>;
  readonly kinds: Set<string>;
}

export function createChangeFeed(deps: {
  readonly log: Pick<EventLog, "readAll" | "subscribeAll" | "snapshots">;
  readonly clock: Clock;
  readonly onBug: (error: unknown) => void;
}): ChangeFeed {
  const { log, clock } = deps;
  const listeners = new Set<(changed: Changed) => void>();
  // It keeps nothing but its position: where the log ends now.
  const end = createLogView(log, WATCHED, {}, () => undefined, { name: "changes 2" });
  let reading: AbortController | undefined;
  let draft: Draft | undefined;

  const tellAll = async (signal: AbortSignal): Promise<void> => {
    await clock.sleep(TOGETHER_MS, signal);
    const { sessions, kinds } = draft ?? { sessions: [], kinds: new Set<string>() };
    draft = undefined;
    const changed: Changed = {
      sessions: [...sessions],
      approvals: kinds.has("approval"),
      // What ran may have used one.
      grants: ["grant", "turn"].some((kind) => kinds.has(kind)),
      tasks: ["task", "turn", "approval"].some((kind) => kinds.has(kind)),
      notices: kinds.has("outbox"),
      channels: kinds.has("channel"),
    };
    for (const tell of listeners) tell(changed);
  };

  const read = async (after: number, signal: AbortSignal): Promise<void> => {
    for await (const { event } of log.subscribeAll({ after, types: WATCHED }, signal)) {
      if (draft === undefined) {
        draft = { sessions: new Set(), kinds: new Set() };
        tellAll(signal).catch(() => undefined);
      }
      if (isSessionStream(event.stream)) draft.sessions.add(event.stream);
      draft.kinds.add(event.type.split(".", 1)[0] ?? "");
    }
  };

  return {
    async follow(tell, signal) {
      const { position } = await end.current();
      if (signal.aborted) return;
      listeners.add(tell);
      signal.addEventListener(
        "abort",
        () => {
          listeners.delete(tell);
          if (listeners.size > 0) return;
          reading?.abort();
          reading = undefined;
          draft = undefined;
        },
        { once: true },
      );
      if (reading !== undefined) return;
      reading = new AbortController();
      const until = reading.signal;
      read(position, until).catch((error: unknown) => {
        if (!until.aborted) deps.onBug(error);
      });
    },
  };
}
