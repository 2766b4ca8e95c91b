import { IMPORTED_CHANNEL, type SessionRequest, type SessionService } from "@deputy/agent/sessions";
import { type Clock, createKeyedLane, isAbort, openTaskGroup, retry, type SessionId } from "@deputy/kit";
import type { EventData, EventLog, NewEvent } from "@deputy/protocol";
import type { ActiveHours } from "../heartbeat/active-hours.ts";
import { addNote } from "./add-note.ts";
import type { Channel } from "./channel.ts";
import { ChannelFailure } from "./channel-failure.ts";
import type { Outbox, Telling } from "./outbox.ts";
import { openOutboxView } from "./outbox-view.ts";

/** Terminal, page and chat apps show sessions by themselves, so the message only has to be in the session. */
const SESSION_CHANNEL = "session";
const MOST_WAITING = 1_000;
const ATTEMPTS = 6;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

/** Where a message goes. `rings`: somebody's phone may. */
type Goal =
  | { readonly kind: "channel"; readonly channel: Channel; readonly rings: true }
  | { readonly kind: "session"; readonly session: SessionId; readonly rings: boolean };

/** Messages to the owner over the event log: as notes in sessions, or through a channel. */
export function createLogOutbox(deps: {
  readonly log: EventLog;
  readonly sessions: Pick<SessionService, "find" | "open">;
  readonly channels: readonly Channel[];
  /** Where `last` leads, if the owner has said so. */
  readonly deliverTo?: string | undefined;
  /** Hours in which nobody's phone is to ring; what was not asked for waits for their end. */
  readonly quietHours?: ActiveHours | undefined;
  /** The session for messages while the owner has not used any. */
  readonly firstSession: SessionRequest;
  /** Removes from a text what must not be shown. */
  readonly redact: (text: string) => string;
  readonly clock: Clock;
  readonly onBug: (error: unknown) => void;
  readonly signal: AbortSignal;
}): Outbox {
  const { log, sessions, clock, deliverTo = "last", quietHours } = deps;
  const view = openOutboxView(log);
  const group = openTaskGroup(deps.signal);
  const lane = createKeyedLane<"tell">({ maxWaiting: MOST_WAITING });
  const never = new AbortController().signal;
  const channels = new Map(deps.channels.map((channel) => [channel.name, channel]));

  const goalOf = async (named: string): Promise<Goal> => {
    const to = named === "last" ? deliverTo : named;
    const channel = channels.get(to);
    if (channel !== undefined) return { kind: "channel", channel, rings: true };
    const { used, homes } = (await view.current()).state;
    const inSession = (session: SessionId): Goal => ({
      kind: "session",
      session,
      rings: homes.has(session),
    });
    const home = [...used].findLast((session) => homes.get(session)?.channel === to);
    if (home !== undefined) return inSession(home);
    const found = to === "last" ? undefined : await sessions.find(to);
    if (found !== undefined && !found.isTask && found.channel !== IMPORTED_CHANNEL)
      return inSession(found.id);
    return inSession([...used].at(-1) ?? (await sessions.open(deps.firstSession, never)).session.id);
  };

  /** Queued, sent and delivered in one append: a crash leaves all of it or nothing. */
  const tellInSession = async (
    { key, from, text, asks }: Omit<Telling, "to">,
    session: SessionId,
    before: readonly NewEvent[],
  ): Promise<void> => {
    const data = { channel: SESSION_CHANNEL, conversation: session, messageRef: key };
    await addNote(log, session, { from, text }, [
      ...before,
      { type: "outbox.queued", data: asks === undefined ? data : { ...data, asks } },
      { type: "outbox.sent", data },
    ]);
  };

  const send = async (channel: Channel, queued: EventData<"outbox.queued">): Promise<void> => {
    const { messageRef: key, from = "", text = "", asks, ...where } = queued;
    const policy = {
      attempts: ATTEMPTS,
      baseMs: FIRST_WAIT_MS,
      maxMs: LONGEST_WAIT_MS,
      retryable: (error: unknown) =>
        !isAbort(error) && !(error instanceof ChannelFailure && error.code === "not_accepted"),
      retryAfterMs: (error: unknown) => (error instanceof ChannelFailure ? error.retryAfterMs : undefined),
    };
    const data = { ...where, messageRef: key };
    const message = { key, from, text, ...(asks !== undefined && { asks }) };
    try {
      const sent = await retry({ clock }, policy, group.signal, () => channel.send(message, group.signal));
      await log.append("system", [{ type: "outbox.sent", data: { ...data, ...sent } }]);
    } catch (error) {
      // The next start sends it.
      if (group.signal.aborted) return;
      const reason = deps.redact(error instanceof Error ? error.message : String(error));
      await lane.run("tell", never, () => fallBack({ ...message, key: `${key} (not sent)` }));
      await log.append("system", [{ type: "outbox.failed", data: { ...data, reason } }]);
    }
  };
  /** A message that a channel refuses is shown where the owner looks anyway. */
  const fallBack = async (message: Omit<Telling, "to">): Promise<void> => {
    const { taken, used } = (await view.current()).state;
    if (taken.has(message.key)) return;
    const session = [...used].at(-1) ?? (await sessions.open(deps.firstSession, never)).session.id;
    await tellInSession(message, session, []);
  };
  const sendLater = (channel: Channel, queued: EventData<"outbox.queued">): void =>
    inBackground(() => send(channel, queued));
  const inBackground = (work: () => Promise<void>): void =>
    group.spawn(async () => {
      await work().catch((error: unknown) => {
        if (!group.signal.aborted) deps.onBug(error);
      });
    });

  const deliver = async (
    message: Omit<Telling, "to">,
    goal: Goal,
    before: readonly NewEvent[],
  ): Promise<void> => {
    if (goal.kind === "session") return await tellInSession(message, goal.session, before);
    const { key, text, from, asks } = message;
    const { channel } = goal;
    const where = { channel: channel.name, conversation: "owner", messageRef: key };
    const data = { ...where, text, from, ...(asks !== undefined && { asks }) };
    await log.append("system", [...before, { type: "outbox.queued", data }]);
    if (!group.signal.aborted) sendLater(channel, data);
  };

  const isQuiet = (ms: number): boolean => quietHours?.has(ms) === true;
  let isWaiting = false;
  const releaseLater = (): void => {
    if (isWaiting || group.signal.aborted) return;
    isWaiting = true;
    inBackground(async () => {
      while (isQuiet(clock.now())) await clock.sleep(quietMs(clock.now(), isQuiet), group.signal);
      isWaiting = false;
      await lane.run("tell", never, release);
    });
  };
  /** What was held goes out: questions by themselves, the rest for each place as one message. */
  const release = async (): Promise<void> => {
    const held = [...(await view.current()).state.held.values()];
    const byPlace = new Map<string, { readonly goal: Goal; readonly all: EventData<"outbox.held">[] }>();
    for (const one of held) {
      const goal = await goalOf(one.conversation);
      const place = goal.kind === "session" ? goal.session : goal.channel.name;
      const together = one.asks === undefined ? place : `${place} ${one.messageRef}`;
      const { all } = byPlace.get(together) ?? { all: [] };
      byPlace.set(together, { goal, all: [...all, one] });
    }
    for (const { goal, all } of byPlace.values()) {
      const messageRefs = all.map(({ messageRef }) => messageRef);
      await deliver(digestOf(all), goal, [{ type: "outbox.released", data: { messageRefs } }]);
    }
  };

  return {
    tell: (message) =>
      lane.run("tell", never, async () => {
        const { key, to, from, asks } = message;
        if ((await view.current()).state.taken.has(key)) return;
        const text = deps.redact(message.text);
        const goal = await goalOf(to);
        if (!goal.rings || message.isAskedFor === true || !isQuiet(clock.now()))
          return await deliver({ key, from, text, ...(asks !== undefined && { asks }) }, goal, []);
        const data = { channel: "quiet", conversation: to, messageRef: key, text, from };
        await log.append("system", [
          { type: "outbox.held", data: asks === undefined ? data : { ...data, asks } },
        ]);
        releaseLater();
      }),
    async goOn() {
      const { unsent, held } = (await view.current()).state;
      for (const queued of unsent.values()) {
        const channel = channels.get(queued.channel);
        if (channel !== undefined) sendLater(channel, queued);
      }
      if (held.size > 0) releaseLater();
    },
    async failed(channel) {
      const all = [...(await view.current()).state.failed.values()].filter(
        ({ queued }) => queued.channel === channel,
      );
      return all.map(({ queued, reason, at }) => ({ key: queued.messageRef, reason, at })).toReversed();
    },
    retry: (name) =>
      lane.run("tell", never, async () => {
        const channel = channels.get(name);
        if (channel === undefined) return 0;
        const all = [...(await view.current()).state.failed.values()].filter(
          ({ queued }) => queued.channel === name,
        );
        for (const { queued } of all) {
          await log.append("system", [{ type: "outbox.queued", data: queued }]);
          sendLater(channel, queued);
        }
        return all.length;
      }),
    [Symbol.asyncDispose]: () => group[Symbol.asyncDispose](),
  };
}

/** How long it stays quiet; at most a day, so that a clock that was set is noticed. */
function quietMs(now: number, isQuiet: (ms: number) => boolean): number {
  const next = now - (now % MINUTE_MS);
  for (let minute = 1; minute < DAY_MINUTES; minute++)
    if (!isQuiet(next + minute * MINUTE_MS)) return next + minute * MINUTE_MS - now;
  return DAY_MINUTES * MINUTE_MS;
}

function digestOf(all: readonly EventData<"outbox.held">[]): Omit<Telling, "to"> {
  const [first] = all;
  const { from = "", text = "", messageRef = "", asks } = first ?? {};
  const key = `${messageRef} (held)`;
  if (all.length === 1) return { key, from, text, ...(asks !== undefined && { asks }) };
  const lines = all.map((one) => `- ${one.from ?? ""}: ${one.text ?? ""}`);
  return { key, from: "quiet hours", text: ["While it was quiet:", ...lines].join("\n") };
}
