import type { Clock, SessionId, TaskGroup, TurnId } from "@deputy/kit";
import type { ChatApp } from "../chat-app.ts";
import type { Door } from "../door.ts";
import { findItem } from "./find-item.ts";
import { type KeptConversation, keepConversation } from "./keep-conversation.ts";
import type { OpenPost } from "./poster.ts";
import { itemIds } from "./session-items.ts";

/** The conversations of one app: those in which something is to be shown are kept. All reject as the daemon's door does. */
export interface Conversations {
  /** Shows from now on what happens in that session; does nothing more if that is done already. */
  keep(session: SessionId, place: string): KeptConversation;
  /** The turns that are going on there. */
  running(session: SessionId): readonly TurnId[];
  /** What was posted before this process, or before the conversation was let go, and may still change. */
  openBefore(session: SessionId): readonly OpenPost[];
  /** Reads anew what was shown where. */
  refresh(only?: SessionId): Promise<void>;
  /** Takes up those of the app's sessions in which there is something to show. */
  lookAt(ids: readonly SessionId[] | "all"): Promise<void>;
  /** Posts once more what is to be, and lets go what is nobody's any more. */
  catchUp(): Promise<void>;
  /** Brings questions up to date that were asked elsewhere. */
  settle(): Promise<void>;
}

/** What was shown in a conversation before. */
interface Before {
  readonly through: number;
  readonly open: readonly OpenPost[];
  readonly again: readonly string[];
  readonly isClosed: boolean;
}

const LISTED = 500;
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 30_000;
const FRESH: Before = { through: 0, open: [], again: [], isClosed: false };

export function createConversations(deps: {
  readonly app: ChatApp;
  readonly door: Door;
  readonly clock: Clock;
  /** Owns what is kept. */
  readonly group: TaskGroup;
  /** Goes on until it works, or everything ends. */
  readonly always: <Value>(work: () => Promise<Value>) => Promise<Value>;
  readonly tell: (text: string) => void;
}): Conversations {
  const { app, door, clock, group, always } = deps;
  const { name: channel } = app;
  const until = group.signal;
  const kept = new Map<SessionId, KeptConversation>();
  const before = new Map<SessionId, Before>();
  /** How often in a row a conversation could not be gone on with. */
  const broken = new Map<SessionId, number>();
  /** What is on its way once more. */
  const reposting = new Map<SessionId, Set<string>>();
  const safely = "safe_to_repeat";

  const follow = async (session: SessionId, conversation: KeptConversation): Promise<void> => {
    try {
      await conversation.ended;
      broken.delete(session);
    } catch (error) {
      if (until.aborted) return;
      deps.tell(`${channel}: ${error instanceof Error ? error.message : String(error)}`);
      // The longer, the more often it broke off.
      const times = (broken.get(session) ?? 0) + 1;
      broken.set(session, times);
      await clock.sleep(Math.min(FIRST_WAIT_MS * 2 ** times, LONGEST_WAIT_MS), until);
    } finally {
      if (!until.aborted) await always(() => refresh(session));
      kept.delete(session);
      reposting.delete(session);
    }
    // Something may have happened between its last look and now.
    await always(() => lookAt([session]));
  };

  const keep = (session: SessionId, place: string): KeptConversation => {
    const known = kept.get(session);
    if (known !== undefined) return known;
    const { through, open } = before.get(session) ?? FRESH;
    const conversation = keepConversation({ app, door, clock, session, place, through, open }, until);
    kept.set(session, conversation);
    group.spawn(() => follow(session, conversation));
    return conversation;
  };

  const refresh = async (only?: SessionId): Promise<void> => {
    const params = only === undefined ? { channel } : { channel, session: only };
    const { conversations } = await door.call("channels.progress", params, safely, until);
    for (const { session, through, open, again, closed } of conversations)
      before.set(session, {
        through,
        again,
        isClosed: closed,
        open: open.map(({ item, part, ref }) => (ref === undefined ? { item, part } : { item, part, ref })),
      });
  };

  const lookAt = async (ids: readonly SessionId[] | "all"): Promise<void> => {
    if (ids === "all") {
      // However long ago: something may be waiting for its end.
      const unfinished = [...before].filter(([, { open }]) => open.length > 0).map(([id]) => id);
      if (unfinished.length > 0) await lookAt(unfinished.slice(-LISTED));
    }
    // Those that are kept see for themselves what is new.
    const others = ids === "all" ? [] : ids.filter((id) => !kept.has(id));
    if (ids !== "all" && others.length === 0) return;
    const params = ids === "all" ? { limit: LISTED } : { ids: others };
    const { sessions } = await door.call("sessions.list", params, safely, until);
    for (const { id, key, channel: its, events } of sessions) {
      if (its !== channel || !key.startsWith(`${channel}--`) || kept.has(id)) continue;
      const { through, isClosed } = before.get(id) ?? FRESH;
      if (!isClosed && events > through) keep(id, placeOf(key));
    }
  };
  const placeOf = (key: string): string => key.slice(channel.length + 2);

  /** Keeps those of these sessions that are the app's. */
  const keepAll = async (wanted: readonly SessionId[]): Promise<void> => {
    const ids = wanted.filter((id) => !kept.has(id)).slice(-LISTED);
    if (ids.length === 0) return;
    const { sessions } = await door.call("sessions.list", { ids }, safely, until);
    for (const { id, key, channel: its } of sessions)
      if (its === channel && key.startsWith(`${channel}--`)) keep(id, placeOf(key));
  };

  const repost = async (session: SessionId, wanted: string): Promise<void> => {
    const once = reposting.get(session) ?? new Set();
    reposting.set(session, once);
    const conversation = kept.get(session);
    if (conversation === undefined || once.has(wanted)) return;
    once.add(wanted);
    const item = await findItem(door, { stream: session, channel, wanted }, until);
    if (item === undefined)
      await door.call("channels.shown", { channel, session, item: wanted }, safely, until);
    else if (item.state === "open") conversation.show(item.id, item.message);
    else conversation.finish(item.id, item.message);
  };

  return {
    keep,
    running: (session) => kept.get(session)?.running() ?? [],
    openBefore: (session) => before.get(session)?.open ?? [],
    refresh,
    lookAt,
    async catchUp() {
      for (const [session, { isClosed }] of before) if (isClosed) kept.get(session)?.stop();
      const failed = [...before].filter(([, { again, isClosed }]) => again.length > 0 && !isClosed);
      await keepAll(failed.map(([session]) => session));
      for (const [session, { again }] of failed) for (const item of again) await repost(session, item);
    },
    async settle() {
      const asking = [...before].filter(
        ([, { open, isClosed }]) =>
          !isClosed && open.some(({ item }) => item.startsWith(itemIds.question(""))),
      );
      await keepAll(asking.map(([session]) => session));
      for (const conversation of kept.values()) conversation.settle();
    },
  };
}
