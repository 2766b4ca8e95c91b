import { type SessionService, sessionKeyOf } from "@deputy/agent/sessions";
import { type Clock, createKeyedLane, isAbort, openTaskGroup, type SessionId } from "@deputy/kit";
import { type EventData, type EventLog, isSessionStream, readEvent, readNote } from "@deputy/protocol";
import type { Conversations } from "../conversations/conversations.ts";
import { readThrough } from "../conversations/conversation-queue.ts";
import type { Outbox } from "../outbox/outbox.ts";
import { TasksError } from "../tasks-error.ts";
import type { ActiveHours } from "./active-hours.ts";
import type { CheckStates } from "./check-states.ts";
import { createHeartbeatEnd } from "./heartbeat-end.ts";
import { type HeartbeatFile, readHeartbeatFile } from "./heartbeat-file.ts";
import { cronPrompt, execPrompt, standardPrompt, type HeartbeatPrompt } from "./heartbeat-prompts.ts";
import {
  type HeartbeatState,
  openHeartbeatView,
  type OpenHeartbeat,
  type Seen,
  type WaitingEvents,
} from "./heartbeat-view.ts";

/** Agents that act by themselves: at intervals, and when something has happened. */
export interface Heartbeat extends AsyncDisposable {
  /**
   * Starts heartbeats in this process, including those that an earlier process began and events that wait. The
   * conversations continue turns that were left open. Call it once.
   */
  start(): Promise<void>;
}

export interface HeartbeatDeps {
  readonly log: EventLog;
  readonly clock: Clock;
  readonly sessions: Pick<SessionService, "find" | "open" | "start">;
  readonly conversations: Pick<Conversations, "send" | "abort">;
  readonly outbox: Pick<Outbox, "tell">;
  readonly checks: CheckStates;
  /** Reads an agent's HEARTBEAT.md; empty when there is none. */
  readonly instructionsOf: (agentId: string, signal: AbortSignal) => Promise<string>;
  readonly agents: (signal: AbortSignal) => Promise<readonly string[]>;
  readonly defaultAgent: string;
  readonly sha256: (text: string) => string;
  /** When to look at HEARTBEAT.md; undefined: never. Events are reported at any time. */
  readonly regular: { readonly everyMs: number; readonly hours: ActiveHours } | undefined;
  /** `last`, or an existing channel. */
  readonly deliverTo: string;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/** The channel of its sessions, in which no person writes. */
const CHANNEL = "heartbeat";
/** Events within this time are reported together. */
const DEBOUNCE_MS = 1_000;
/** After this time, what was refused is tried again. */
const AGAIN_MS = 60_000;
/** A clock that was set, or that stood still with the machine, is noticed after this time. */
const NAP_MS = 60_000;
/**
 * After this many turns, a heartbeat's own session is replaced by a new one: old messages need not be in every
 * prompt.
 */
const MOST_TURNS = 24;
const MOST_QUEUED = 1_000;
const REASONS = {
  nothing: "HEARTBEAT.md asks for nothing",
  unchanged: "its checks have nothing to tell, and HEARTBEAT.md is as it was",
  heard: "the agent has heard of it in its session",
} as const;

type Began = EventData<"heartbeat.began">;

export function createHeartbeat(deps: HeartbeatDeps): Heartbeat {
  const { log, clock, sessions, conversations } = deps;
  const view = openHeartbeatView(log);
  const group = openTaskGroup(deps.signal);
  /** One at a time in each session. */
  const lane = createKeyedLane<SessionId>({ maxWaiting: MOST_QUEUED });
  let isDebouncing = false;

  const look = async (): Promise<HeartbeatState> => (await view.current()).state;
  const spawn = (work: (signal: AbortSignal) => Promise<void>): void => {
    if (group.signal.aborted) return;
    group.spawn(async (signal) => {
      await work(signal).catch((error: unknown) => {
        if (!signal.aborted && !isAbort(error)) deps.onBug(error);
      });
    });
  };

  const ownSession = async (name: "heartbeat" | "reminders", agentId: string): Promise<SessionId> => {
    const request = { key: sessionKeyOf({ channel: name, sender: agentId }), agentId, channel: CHANNEL };
    const { session } = await sessions.open(request, group.signal);
    return session.turns < MOST_TURNS ? session.id : (await sessions.start(request)).id;
  };
  const finish = createHeartbeatEnd({ ...deps, channel: CHANNEL, group });

  /** The heartbeat has begun once this resolves, even if this process then dies. */
  const begin = async (
    session: SessionId,
    prompt: HeartbeatPrompt & { readonly trust: "user" | "untrusted" },
    data: Began,
    events: OpenHeartbeat["events"],
  ): Promise<OpenHeartbeat> => {
    const { runId, seq } = await conversations.send({
      session,
      ...prompt,
      channel: CHANNEL,
      sender: CHANNEL,
      before: [{ type: "heartbeat.began", data }],
    });
    return { ...data, turnId: runId, stream: session, seq, events };
  };

  /** Its own session if people talk there, so that the agent knows what it was about. */
  const targetOf = async ({ session, source, agentId }: WaitingEvents): Promise<Target> => {
    const entry = session === undefined ? undefined : await sessions.find(session);
    if (entry !== undefined && !entry.isTask) return { session: entry.id, agentId: entry.agentId };
    const agent = entry?.agentId ?? agentId ?? deps.defaultAgent;
    return {
      session: await ownSession(source === "cron" ? "reminders" : "heartbeat", agent),
      agentId: agent,
    };
  };
  /** Skips events that the agent has already got in a turn of their session. */
  const passOverHeard = async ({ session, events }: WaitingEvents, agentId: string): Promise<void> => {
    const [first] = events;
    if (session === undefined || first === undefined) return;
    const through = await readThrough(log, session, first.seq);
    const refs = events.filter(({ seq }) => seq < through).map(({ ref }) => ref);
    if (refs.length > 0)
      await log.append("system", [
        { type: "heartbeat.skipped", data: { agentId, reason: REASONS.heard, refs } },
      ]);
  };
  /** The notes that the session has about these events, and its agent sees. */
  const notesSince = async (
    session: SessionId,
    [first]: WaitingEvents["events"],
  ): Promise<ReadonlySet<string>> => {
    const texts = new Set<string>();
    if (first === undefined) return texts;
    for await (const stored of log.read(session, { after: first.seq })) {
      const read = stored.type === "user.message" ? readEvent(stored) : undefined;
      if (read?.kind !== "known" || read.event.type !== "user.message") continue;
      const note = readNote(read.event.data);
      if (note !== undefined) texts.add(note.text);
    }
    return texts;
  };
  const relay = async (place: string): Promise<void> => {
    const first = (await look()).waiting.get(place);
    if (first === undefined) return;
    const { session, agentId } = await targetOf(first);
    await lane.run(session, group.signal, async () => {
      // The end of a running turn brings us back here; the agent sees in it what was noted.
      if (first.session !== undefined && (await look()).turns.has(first.session)) return;
      await passOverHeard((await look()).waiting.get(place) ?? first, agentId);
      const waiting = (await look()).waiting.get(place);
      if (waiting === undefined) return;
      const { source: kind, events, dropped } = waiting;
      const noted = first.session === session ? await notesSince(session, events) : new Set<string>();
      const text = kind === "cron" ? cronPrompt(events, dropped) : execPrompt(events, dropped, noted);
      const data = { kind, agentId, refs: events.map(({ ref }) => ref) };
      await finish(await begin(session, { text, trust: "untrusted" }, data, events));
    });
  };
  const relayOrTryAgain = async (place: string): Promise<void> => {
    try {
      await relay(place);
    } catch (error) {
      if (!(error instanceof TasksError && error.code === "too_many_messages")) throw error;
      spawn(async (signal) => {
        await clock.sleep(AGAIN_MS, signal);
        await relayOrTryAgain(place);
      });
    }
  };
  const notice = (): void => {
    if (isDebouncing) return;
    isDebouncing = true;
    spawn(async (signal) => {
      await clock.sleep(DEBOUNCE_MS, signal);
      isDebouncing = false;
      for (const place of (await look()).waiting.keys()) spawn(() => relayOrTryAgain(place));
    });
  };
  const listen = async (after: number, signal: AbortSignal): Promise<void> => {
    const types = ["system.noted", "turn.completed", "turn.failed", "turn.aborted"] as const;
    for await (const { event } of log.subscribeAll({ after, types }, signal))
      if (event.type === "system.noted" || (await look()).waiting.size > 0) notice();
  };

  const skip = async (agentId: string, reason: string): Promise<void> => {
    if ((await look()).skipped.get(agentId) === reason) return;
    const event = { type: "heartbeat.skipped", data: { agentId, reason } } as const;
    await log.append("system", [event], { durability: "relaxed" });
  };
  const see = async (file: HeartbeatFile, signal: AbortSignal): Promise<Seen> => {
    const checks: Record<string, string> = {};
    for (const check of file.checks) checks[check.line] = await deps.checks.of(check, signal);
    return { instructions: deps.sha256(file.text), checks };
  };
  const beat = async (agentId: string, signal: AbortSignal): Promise<void> => {
    const file = readHeartbeatFile(await deps.instructionsOf(agentId, signal));
    if (file.asks === "nothing") return await skip(agentId, REASONS.nothing);
    const seen = await see(file, signal);
    const before = (await look()).seen.get(agentId);
    const changed = before === undefined ? [] : changedChecks(before, seen);
    const isSame = before?.instructions === seen.instructions && changed.length === 0;
    if (file.asks === "checks" && isSame) return await skip(agentId, REASONS.unchanged);
    const session = await ownSession("heartbeat", agentId);
    await lane.run(session, signal, async () => {
      const own = standardPrompt(file, { changed, at: new Date(clock.now()).toISOString() });
      // Their own file, and no word of anybody else's in it.
      const prompt = { ...own, trust: "user" } as const;
      await finish(await begin(session, prompt, { kind: "standard", agentId, refs: [], seen }, []));
    });
  };
  const beatRegularly = async (
    { everyMs, hours }: NonNullable<HeartbeatDeps["regular"]>,
    sinceMs: number,
    signal: AbortSignal,
  ): Promise<void> => {
    let dueMs = sinceMs + everyMs;
    for (;;) {
      // A clock that was set back does not make anyone wait longer.
      dueMs = Math.min(dueMs, clock.now() + everyMs);
      const leftMs = dueMs - clock.now();
      if (leftMs > 0 || !hours.has(clock.now())) {
        await clock.sleep(leftMs > 0 ? Math.min(leftMs, NAP_MS) : NAP_MS, signal);
        continue;
      }
      // While it is paused, nothing is looked at; events are still reported.
      const isPaused = (await look()).pausedAt !== undefined;
      for (const agentId of isPaused ? [] : await deps.agents(signal))
        await beat(agentId, signal).catch((error: unknown) => {
          // If it was refused or failed, it is due again with the next one.
          if (signal.aborted || isAbort(error)) throw error;
          if (!(error instanceof TasksError)) deps.onBug(error);
        });
      dueMs = clock.now() + everyMs;
    }
  };

  return {
    async start() {
      const { state, position } = await view.current();
      for (const open of state.open.values())
        if (isSessionStream(open.stream)) {
          const { stream } = open;
          spawn((signal) => lane.run(stream, signal, () => finish(open)));
        }
      if (state.waiting.size > 0) notice();
      spawn((signal) => listen(position, signal));
      const { regular } = deps;
      const { lastStandardAt } = state;
      const sinceMs = lastStandardAt === undefined ? clock.now() : Date.parse(lastStandardAt);
      if (regular !== undefined) spawn((signal) => beatRegularly(regular, sinceMs, signal));
    },
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}

interface Target {
  readonly session: SessionId;
  readonly agentId: string;
}

function changedChecks(before: Seen, now: Seen): readonly string[] {
  return Object.entries(now.checks)
    .filter(([line, state]) => before.checks[line] !== undefined && before.checks[line] !== state)
    .map(([line]) => line);
}
