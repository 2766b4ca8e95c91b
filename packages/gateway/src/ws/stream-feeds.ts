import type { TurnId } from "@deputy/kit";
import {
  type EventLog,
  HEARTBEAT_CHANNEL,
  type LogItem,
  type Push,
  type StoredEvent,
  type StreamId,
} from "@deputy/protocol";
import { createDeltaTrimmer, projectPushes } from "@deputy/protocol/projections";
import { toldByHeartbeat } from "@deputy/tasks/heartbeat";
import { GatewayError } from "../gateway-error.ts";
import type { SocketWriter } from "./socket-writer.ts";

/** The streams that one connection follows. Each is read from the log once, for all its uses. */
export interface StreamFeeds {
  /** Throws `too_many_subscriptions` if there is no room for this stream. */
  assertRoom(stream: StreamId): void;
  /** Everything after that event, as pushes of all kinds. */
  subscribe(stream: StreamId, after: number): void;
  /** False when there was no subscription. */
  unsubscribe(stream: StreamId): boolean;
  /** Sends a run's output, from that event of its stream to its end, without `event` pushes. */
  watch(stream: StreamId, runId: TurnId, after: number): void;
}

/** Without a subscription or a run it is quiet: whoever has talked there still hears what Deputy itself says. */
interface Feed {
  /** The last event that was sent as one; undefined without a subscription. */
  eventSeq: number | undefined;
  /** The last event that was sent. */
  toldSeq: number;
  /** The last notice that was sent. */
  noticedSeq: number;
  readonly runs: Set<TurnId>;
  /** What Deputy has begun there by itself, with the newest message in each: told at its end, if it tells anything. */
  readonly unasked: Map<TurnId, Push | undefined>;
  trim: (push: Push) => Push | undefined;
  stop: AbortController;
}

const TURN_ENDS: ReadonlySet<string> = new Set(["turn.completed", "turn.failed", "turn.aborted"]);

const isQuiet = ({ eventSeq, runs }: Feed): boolean => eventSeq === undefined && runs.size === 0;

export function createStreamFeeds(deps: {
  readonly log: EventLog;
  readonly writer: SocketWriter;
  readonly maxStreams: number;
  /** False once the connection may not get anything more. */
  readonly isAllowed: () => boolean;
  /** Aborts with the connection. */
  readonly signal: AbortSignal;
  /** Called when a stream broke: the connection can no longer be complete. */
  readonly onBroken: (error: unknown) => void;
}): StreamFeeds {
  const { log, writer, signal } = deps;
  const feeds = new Map<StreamId, Feed>();

  const tell = (feed: Feed, item: LogItem): void => {
    const seq = item.kind === "event" ? item.event.seq : undefined;
    const isNews = seq === undefined || seq > feed.toldSeq;
    for (const push of projectPushes(item)) {
      if (push.event === "event") {
        if (feed.eventSeq !== undefined && push.data.seq > feed.eventSeq) writer.send(push);
        continue;
      }
      if (push.event === "chat.notice") {
        if (push.data.seq > feed.noticedSeq) writer.send(push);
        feed.noticedSeq = Math.max(feed.noticedSeq, push.data.seq);
        continue;
      }
      if (isNews && isQuiet(feed)) tellUnasked(feed, item, push);
      const told = isNews && !isQuiet(feed) ? feed.trim(push) : undefined;
      if (told !== undefined) writer.send(told);
    }
    if (item.kind === "delta") return;
    noteUnasked(feed, item.event);
    feed.toldSeq = Math.max(feed.toldSeq, item.event.seq);
    if (feed.eventSeq !== undefined) feed.eventSeq = Math.max(feed.eventSeq, item.event.seq);
    const { turnId, type } = item.event;
    if (turnId === undefined || !TURN_ENDS.has(type)) return;
    feed.runs.delete(turnId);
    feed.unasked.delete(turnId);
  };

  const noteUnasked = ({ unasked }: Feed, { turnId, type, data }: StoredEvent): void => {
    if (turnId === undefined || type !== "user.message") return;
    if ((data as { readonly channel?: unknown }).channel === HEARTBEAT_CHANNEL)
      unasked.set(turnId, undefined);
  };

  /** What an agent says when a command has ended, to whoever has talked there. */
  const tellUnasked = ({ unasked }: Feed, item: LogItem, push: Push): void => {
    if (item.kind === "delta") return;
    const { turnId, type } = item.event;
    if (turnId === undefined || !unasked.has(turnId)) return;
    if (type === "assistant.message") unasked.set(turnId, push);
    const message = unasked.get(turnId);
    if (type !== "turn.completed" || message?.event !== "chat.delta") return;
    if (toldByHeartbeat(message.data.text) === undefined) return;
    writer.send(message);
    writer.send(push);
  };

  const pump = async (stream: StreamId, feed: Feed, after: number, until: AbortSignal): Promise<void> => {
    for await (const item of log.subscribe(stream, { after }, until)) {
      await writer.room(until);
      if (!deps.isAllowed()) return;
      tell(feed, item);
    }
  };

  /** Continues reading there, instead of where it was. */
  const restart = (stream: StreamId, feed: Feed): void => {
    feed.stop.abort();
    feed.stop = new AbortController();
    const until = feed.stop.signal;
    const after = Math.min(feed.eventSeq ?? feed.toldSeq, feed.toldSeq);
    pump(stream, feed, after, until).catch((error: unknown) => {
      if (!until.aborted) deps.onBroken(error);
    });
  };
  signal.addEventListener("abort", () => feeds.forEach(({ stop }) => stop.abort()), { once: true });

  const newFeed = (stream: StreamId, toldSeq: number): Feed => {
    const feed = {
      eventSeq: undefined,
      toldSeq,
      noticedSeq: toldSeq,
      runs: new Set<TurnId>(),
      unasked: new Map<TurnId, Push | undefined>(),
      trim: createDeltaTrimmer(),
      stop: new AbortController(),
    };
    feeds.set(stream, feed);
    return feed;
  };

  return {
    assertRoom(stream) {
      if (feeds.has(stream) || feeds.size < deps.maxStreams) return;
      const quiet = [...feeds].find(([, feed]) => isQuiet(feed));
      if (quiet !== undefined) {
        quiet[1].stop.abort();
        feeds.delete(quiet[0]);
        return;
      }
      throw new GatewayError(
        "too_many_subscriptions",
        `One connection has ${deps.maxStreams} streams at most`,
        {
          hint: "End one with events.unsubscribe, or open another connection",
        },
      );
    },
    subscribe(stream, after) {
      if (signal.aborted) return;
      const feed = feeds.get(stream) ?? newFeed(stream, after);
      feed.eventSeq = after;
      feed.noticedSeq = after;
      // The output of watched runs was sent. Everything else is sent again from there.
      if (feed.runs.size === 0) {
        feed.toldSeq = after;
        feed.trim = createDeltaTrimmer();
      }
      restart(stream, feed);
    },
    unsubscribe(stream) {
      const feed = feeds.get(stream);
      if (feed?.eventSeq === undefined) return false;
      feed.eventSeq = undefined;
      if (feed.runs.size > 0) return true;
      feed.stop.abort();
      feeds.delete(stream);
      return true;
    },
    watch(stream, runId, after) {
      if (signal.aborted) return;
      const known = feeds.get(stream);
      const feed = known ?? newFeed(stream, after);
      const wasQuiet = isQuiet(feed);
      feed.runs.add(runId);
      if (!wasQuiet) return;
      // What came of the run meanwhile was not sent.
      feed.toldSeq = after;
      feed.trim = createDeltaTrimmer();
      restart(stream, feed);
    },
  };
}
