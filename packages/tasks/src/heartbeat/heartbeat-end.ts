import type { SessionReader } from "@deputy/agent/sessions";
import type { Clock, TaskGroup, TurnId } from "@deputy/kit";
import { type EventData, type EventLog, isSessionStream, type StreamId, readEvent } from "@deputy/protocol";
import type { Conversations } from "../conversations/conversations.ts";
import type { Outbox } from "../outbox/outbox.ts";
import { toldByHeartbeat } from "./heartbeat-answer.ts";
import type { OpenHeartbeat } from "./heartbeat-view.ts";
import { TasksError } from "../tasks-error.ts";

/**
 * A heartbeat's own turn that takes longer, such as one that waits for an approval, is stopped, because it
 * holds up others.
 */
const LONGEST_TURN_MS = 600_000;

export interface HeartbeatEndDeps {
  readonly log: Pick<EventLog, "subscribe" | "append">;
  readonly clock: Clock;
  readonly sessions: Pick<SessionReader, "find">;
  readonly conversations: Pick<Conversations, "abort">;
  readonly outbox: Pick<Outbox, "tell">;
  /** The channel of the heartbeat's own sessions. */
  readonly channel: string;
  readonly deliverTo: string;
  readonly onBug: (error: unknown) => void;
  /** Ends all waiting. */
  readonly group: TaskGroup;
}

/**
 * Waits for the end of a heartbeat's turn, reports its outcome once, and then closes it. Rejects with the signal's
 * reason, and when the log does: a later process then does it.
 */
export function createHeartbeatEnd(deps: HeartbeatEndDeps): (beat: OpenHeartbeat) => Promise<void> {
  const { log, clock, conversations, group } = deps;

  const isOwn = async (stream: StreamId): Promise<boolean> =>
    isSessionStream(stream) && (await deps.sessions.find(stream))?.channel === deps.channel;

  /** True if what is said in that session is said where it should go, so that nothing is said twice. */
  const isWhereItGoes = async (stream: StreamId): Promise<boolean> => {
    if (deps.deliverTo === "last") return true;
    const session = isSessionStream(stream) ? await deps.sessions.find(stream) : undefined;
    return [session?.id, session?.key, session?.channel].includes(deps.deliverTo);
  };

  const stopAfter = async (beat: OpenHeartbeat, signal: AbortSignal): Promise<void> => {
    try {
      await clock.sleep(LONGEST_TURN_MS, signal);
      await conversations.abort(beat.turnId, deps.channel);
    } catch (error) {
      if (!signal.aborted) deps.onBug(error);
    }
  };
  const endOf = async (beat: OpenHeartbeat): Promise<TurnEnd> => {
    const over = new AbortController();
    const until = AbortSignal.any([group.signal, over.signal]);
    // In a session where people talk, only they may stop it.
    if (await isOwn(beat.stream)) group.spawn(() => stopAfter(beat, until));
    try {
      return await followTurn(log, beat, group.signal);
    } finally {
      over.abort();
    }
  };

  const tell = async (
    beat: OpenHeartbeat,
    end: TurnEnd,
  ): Promise<Omit<EventData<"heartbeat.ended">, "turn">> => {
    // A reminder is delivered even when the agent could not be asked.
    const instead = beat.kind === "cron" ? beat.events.map(({ text }) => text).join("\n") : undefined;
    const text = end.kind === "completed" ? toldByHeartbeat(end.text) : instead;
    if (text === undefined) return { outcome: end.kind === "completed" ? "silent" : "untold" };
    const isThere = !(await isOwn(beat.stream));
    if (isThere && (await isWhereItGoes(beat.stream))) return { outcome: "told" };
    const messageRef = `heartbeat ${beat.turnId}`;
    const from = beat.kind === "cron" ? "reminder" : "heartbeat";
    const asked = beat.kind === "cron" ? { isAskedFor: true as const } : {};
    await deps.outbox.tell({ key: messageRef, to: deps.deliverTo, text, from, ...asked });
    return { outcome: "told", messageRef };
  };

  return async (beat) => {
    const outcome = await tell(beat, await endOf(beat));
    await log.append("system", [{ type: "heartbeat.ended", data: { turn: beat.turnId, ...outcome } }]);
  };
}

/** How a turn ended. `text` is its last message. */
type TurnEnd =
  | { readonly kind: "completed"; readonly text: string }
  | { readonly kind: "failed" }
  | { readonly kind: "aborted" };

/** Waits for the end of a turn that begins after `seq`. Rejects with the signal's reason, and when the log closes. */
async function followTurn(
  log: Pick<EventLog, "subscribe">,
  turn: { readonly stream: StreamId; readonly turnId: TurnId; readonly seq: number },
  signal: AbortSignal,
): Promise<TurnEnd> {
  let said: string[] = [];
  for await (const item of log.subscribe(turn.stream, { after: turn.seq }, signal)) {
    if (item.kind !== "event" || item.event.turnId !== turn.turnId) continue;
    const read = readEvent(item.event);
    if (read.kind !== "known") continue;
    const { event } = read;
    switch (event.type) {
      // Text before a program announces what the program is going to do.
      case "cell.submitted":
        said = [];
        break;
      case "assistant.message":
        if (event.data.text !== "") said.push(event.data.text);
        break;
      case "turn.completed":
        return { kind: "completed", text: said.join("\n\n") };
      case "turn.failed":
        return { kind: "failed" };
      case "turn.aborted":
        return { kind: "aborted" };
      default:
    }
  }
  signal.throwIfAborted();
  throw new TasksError("shutting_down", "The log was closed before the turn had its end.");
}
