import { createLogView, type LogView } from "@deputy/agent";
import type { SessionId, TurnId } from "@deputy/kit";
import { type CanonicalEvent, type EventData, type EventLog, type StreamId } from "@deputy/protocol";
import { MOST_WAITING, type SystemEvent } from "./system-event.ts";

/** Events that wait for a heartbeat, running heartbeats, and what the last ones saw. */
export interface HeartbeatState {
  /** Waiting system events, by owner: a session or an agent. */
  readonly waiting: Map<string, WaitingEvents>;
  /** Heartbeats without an end. */
  readonly open: Map<TurnId, OpenHeartbeat>;
  /** By agent: what its last look at HEARTBEAT.md saw. */
  readonly seen: Map<string, Seen>;
  /** When that was, for any agent. */
  lastStandardAt: string | undefined;
  /** By agent: the last recorded reason for not asking a model. */
  readonly skipped: Map<string, string>;
  /** Since when HEARTBEAT.md is not looked at; undefined: it is. */
  pausedAt: string | undefined;
  /** How the last one ended. */
  last: LastHeartbeat | undefined;
  /** Turns under way, by session. */
  readonly turns: Map<StreamId, Set<TurnId>>;
}

export interface WaitingEvents {
  readonly source: SystemEvent["source"];
  readonly session: SessionId | undefined;
  readonly agentId: string | undefined;
  /** The oldest first. */
  readonly events: readonly WaitingEvent[];
  /** Older ones that were dropped for lack of room. */
  readonly dropped: number;
}

export interface WaitingEvent extends SystemEvent {
  /** The event's number in its stream. */
  readonly seq: number;
}

export interface OpenHeartbeat extends EventData<"heartbeat.began"> {
  readonly turnId: TurnId;
  readonly stream: StreamId;
  /** The number of the event that begins its turn. */
  readonly seq: number;
  readonly events: readonly SystemEvent[];
}

export interface LastHeartbeat {
  readonly at: string;
  readonly agentId: string;
  readonly outcome: EventData<"heartbeat.ended">["outcome"];
  /** Its session, its turn, and the number of the event that begins it. */
  readonly stream: StreamId;
  readonly turnId: TurnId;
  readonly seq: number;
}

export type Seen = NonNullable<EventData<"heartbeat.began">["seen"]>;

export function openHeartbeatView(log: Pick<EventLog, "readAll">): LogView<HeartbeatState> {
  return createLogView<HeartbeatState>(
    log,
    [
      "system.noted",
      "heartbeat.began",
      "heartbeat.skipped",
      "heartbeat.ended",
      "heartbeat.paused",
      "heartbeat.resumed",
      "turn.started",
      "turn.completed",
      "turn.failed",
      "turn.aborted",
    ],
    {
      waiting: new Map(),
      open: new Map(),
      seen: new Map(),
      lastStandardAt: undefined,
      skipped: new Map(),
      pausedAt: undefined,
      last: undefined,
      turns: new Map(),
    },
    apply,
    { name: "heartbeats 2" },
  );
}

function apply(state: HeartbeatState, event: CanonicalEvent): void {
  switch (event.type) {
    case "system.noted":
      addWaiting(state, { ...event.data, seq: event.seq });
      break;
    case "heartbeat.began":
      begin(state, event);
      break;
    case "heartbeat.skipped":
      if (event.data.refs === undefined) state.skipped.set(event.data.agentId, event.data.reason);
      else take(state, event.data.refs);
      break;
    case "heartbeat.paused":
      state.pausedAt = event.at;
      break;
    case "heartbeat.resumed":
      state.pausedAt = undefined;
      break;
    case "heartbeat.ended":
      state.last = lastOf(state, event) ?? state.last;
      state.open.delete(event.data.turn);
      break;
    case "turn.started":
      if (event.turnId === undefined) break;
      state.turns.set(event.stream, (state.turns.get(event.stream) ?? new Set()).add(event.turnId));
      break;
    case "turn.completed":
    case "turn.failed":
    case "turn.aborted": {
      const turns = state.turns.get(event.stream);
      if (event.turnId !== undefined) turns?.delete(event.turnId);
      if (turns?.size === 0) state.turns.delete(event.stream);
      break;
    }
    default:
  }
}

function lastOf(
  { open }: HeartbeatState,
  { at, data: { turn, outcome } }: Extract<CanonicalEvent, { type: "heartbeat.ended" }>,
): LastHeartbeat | undefined {
  const ended = open.get(turn);
  if (ended === undefined) return undefined;
  const { agentId, stream, turnId, seq } = ended;
  return { at, agentId, outcome, stream, turnId, seq };
}

function placeOf({ session, agentId }: SystemEvent): string {
  return session ?? `agent ${agentId ?? ""}`;
}

function addWaiting({ waiting }: HeartbeatState, event: WaitingEvent): void {
  const { source, session, agentId } = event;
  const place = placeOf(event);
  const known = waiting.get(place) ?? { source, session, agentId, events: [], dropped: 0 };
  const events = [...known.events, event];
  const over = Math.max(events.length - MOST_WAITING, 0);
  waiting.set(place, { ...known, events: events.slice(over), dropped: known.dropped + over });
}

function begin(state: HeartbeatState, event: Extract<CanonicalEvent, { type: "heartbeat.began" }>): void {
  const { data, turnId, stream, seq, at } = event;
  const events = take(state, data.refs);
  if (turnId !== undefined) state.open.set(turnId, { ...data, turnId, stream, seq, events });
  if (data.seen !== undefined) state.seen.set(data.agentId, data.seen);
  if (data.kind !== "standard") return;
  state.lastStandardAt = at;
  state.skipped.delete(data.agentId);
}

/** Those no longer wait. */
function take({ waiting }: HeartbeatState, refs: readonly string[]): readonly SystemEvent[] {
  const named = new Set(refs);
  const taken: SystemEvent[] = [];
  for (const [place, there] of waiting) {
    const left = there.events.filter(({ ref }) => !named.has(ref));
    if (left.length === there.events.length) continue;
    taken.push(...there.events.filter(({ ref }) => named.has(ref)));
    if (left.length === 0) waiting.delete(place);
    else waiting.set(place, { ...there, events: left, dropped: 0 });
  }
  return taken;
}
