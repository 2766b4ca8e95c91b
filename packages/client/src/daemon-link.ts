import { type Clock, isAbort } from "@deputy/kit";
import { type Changed, isTurnEndType, type LogItem, type Push, type StreamId } from "@deputy/protocol";
import type { RpcMethodName, RpcParams, RpcResult } from "@deputy/protocol/rpc";
import { ClientError } from "./client-error.ts";
import { untilStopped } from "@deputy/kit";
import { openRpcSocket, type RpcSocket } from "./rpc-socket.ts";

/** A connection to the home's daemon that outlives the daemon's restarts. */
export interface DaemonLink extends Disposable {
  /**
   * Waits for the daemon while it is away. `safe_to_repeat` is sent again when the connection breaks before the
   * answer; `once` then throws `daemon_gone`, and it is unknown whether it was done. Throws `daemon_refused`,
   * `not_found` or `already_decided` with the daemon's message, and `daemon_gone` when it does not come back.
   */
  call<Name extends RpcMethodName>(
    method: Name,
    params: RpcParams<Name>,
    how: "once" | "safe_to_repeat",
    signal: AbortSignal,
  ): Promise<RpcResult<Name>>;
  /**
   * All events of a stream after that one, then live, each event once however often the connection breaks. Before the
   * events of each connection comes the number of the last event at that time. Deltas are those of every run that the
   * connection gets. Ends when the signal aborts; throws as `call` does.
   */
  follow(stream: StreamId, after: number, signal: AbortSignal): AsyncIterable<Followed>;
  /**
   * What is otherwise now in the daemon's lists. With each connection first comes `all`: what changed before is not
   * told. Ends and throws as `follow` does.
   */
  changes(signal: AbortSignal): AsyncIterable<Changed | "all">;
}

export type Followed = LogItem | { readonly kind: "head"; readonly seq: number };

/** The daemon's current address and its token; undefined when none runs. */
export type FindDaemon = () => Promise<{ readonly url: string; readonly token: string } | undefined>;

const RECONNECT_MS = 500;
/** How long a daemon may take to come back. */
const GIVE_UP_MS = 60_000;

/** Throws `daemon_gone` or `daemon_refused`, as `openRpcSocket` does. Calls `tell` when the connection breaks. */
export async function openDaemonLink(
  deps: { readonly find: FindDaemon; readonly clock: Clock; readonly tell: (text: string) => void },
  signal: AbortSignal,
): Promise<DaemonLink> {
  const { clock, tell } = deps;
  const over = new AbortController();
  /** Who is told what is pushed: followers of a stream by its name, everybody else under "". */
  const sinks = new Map<StreamId | "", Set<(push: Push) => void>>();
  /** The stream of each run that goes on: a delta names only its run, and must not reach everybody's followers. */
  const streams = new Map<string, StreamId>();
  const onPush = (push: Push): void => {
    if (push.event === "event") {
      const { stream, turnId, type } = push.data;
      if (turnId !== undefined && isTurnEndType(type)) streams.delete(turnId);
      else if (turnId !== undefined) streams.set(turnId, stream);
      return tellSinks([stream], push);
    }
    if (push.event !== "chat.delta") return tellSinks([""], push);
    const stream = streams.get(push.data.runId);
    tellSinks(stream === undefined ? [...sinks.keys()] : [stream], push);
  };
  const tellSinks = (names: readonly (StreamId | "")[], push: Push): void => {
    for (const name of names) for (const take of sinks.get(name) ?? []) take(push);
  };

  /** Told when a connection ends; each is gone with whoever listens, as its promise would keep them for its whole life. */
  const endings = new Map<RpcSocket, Set<() => void>>();
  const onEnd = (socket: RpcSocket, tellEnd: () => void): Disposable => {
    const listeners = endings.get(socket);
    if (listeners === undefined) tellEnd();
    else listeners.add(tellEnd);
    return { [Symbol.dispose]: () => void listeners?.delete(tellEnd) };
  };

  const connect = async (until: AbortSignal): Promise<RpcSocket> => {
    const daemon = await deps.find();
    if (daemon === undefined) throw new ClientError("daemon_gone", "The daemon is not there");
    return await openRpcSocket({ ...daemon, onPush }, until);
  };
  const keep = (socket: RpcSocket): RpcSocket => {
    endings.set(socket, new Set());
    void socket.closed.then(() => {
      const listeners = endings.get(socket) ?? [];
      endings.delete(socket);
      for (const tellEnd of listeners) tellEnd();
      if (over.signal.aborted) return;
      tell("The connection to the daemon has ended. Waiting for it to come back; Ctrl-C twice leaves.");
      current = comeBack();
      current.catch(() => undefined);
    });
    return socket;
  };
  const comeBack = async (): Promise<RpcSocket> => {
    const untilMs = clock.monotonicMs() + GIVE_UP_MS;
    for (;;) {
      await clock.sleep(RECONNECT_MS, over.signal);
      try {
        const socket = keep(await connect(over.signal));
        tell("The daemon is back.");
        return socket;
      } catch (error) {
        if (!isGone(error)) throw error;
        if (clock.monotonicMs() < untilMs) continue;
        throw new ClientError("daemon_gone", `The daemon did not come back within ${GIVE_UP_MS / 1_000} s`, {
          cause: error,
          hint: "Everything it acknowledged is saved: `deputy` or `deputy serve` will continue it.",
        });
      }
    }
  };
  let current = Promise.resolve(keep(await connect(signal)));

  /** What the connection pushes and `read` understands, from the answer to a request on; ends with the connection. */
  async function* pushesOf<Answer, Item>(
    socket: RpcSocket,
    request: () => Promise<Answer>,
    { of, read }: { readonly of: StreamId | ""; readonly read: (push: Push) => Item | undefined },
    until: AbortSignal,
  ): AsyncGenerator<{ readonly answer: Answer } | { readonly item: Item }> {
    const waiting: Item[] = [];
    let wake = Promise.withResolvers<void>();
    const take = (push: Push): void => {
      const item = read(push);
      if (item === undefined) return;
      waiting.push(item);
      wake.resolve();
    };
    const others = sinks.get(of) ?? new Set();
    sinks.set(of, others.add(take));
    try {
      const answer = await request().catch((error: unknown) =>
        isGone(error) ? undefined : Promise.reject(error),
      );
      if (answer === undefined) return;
      yield { answer };
      let isOver = false;
      using _ending = onEnd(socket, () => {
        isOver = true;
        wake.resolve();
      });
      for (;;) {
        const items = waiting.splice(0);
        for (const item of items) yield { item };
        if (items.length > 0) continue;
        if (isOver) return;
        await untilStopped(wake.promise, until);
        wake = Promise.withResolvers<void>();
      }
    } finally {
      others.delete(take);
      if (others.size === 0 && sinks.get(of) === others) sinks.delete(of);
    }
  }

  async function* followOnce(
    socket: RpcSocket,
    stream: StreamId,
    after: number,
    until: AbortSignal,
  ): AsyncGenerator<Followed> {
    const subscribe = () => socket.call("events.subscribe", { stream, after }, until);
    const read = (push: Push) => readItem(push, stream, clock);
    try {
      for await (const pushed of pushesOf(socket, subscribe, { of: stream, read }, until))
        yield "item" in pushed ? pushed.item : { kind: "head", seq: pushed.answer.head };
    } finally {
      // Not awaited: a daemon that is gone has nothing to end.
      const leaving = AbortSignal.any([over.signal, AbortSignal.timeout(RECONNECT_MS)]);
      socket.call("events.unsubscribe", { stream }, leaving).catch(() => undefined);
    }
  }

  /** One connection after the other, until the signal aborts. */
  async function* overConnections<Item>(
    each: (socket: RpcSocket) => AsyncIterable<Item>,
    until: AbortSignal,
  ): AsyncGenerator<Item> {
    try {
      for (;;) {
        const socket = await untilStopped(current, until);
        yield* each(socket);
        await socket.closed;
      }
    } catch (error) {
      if (!(until.aborted && isAbort(error))) throw error;
    }
  }

  return {
    async call(method, params, how, callSignal) {
      for (;;) {
        const socket = await untilStopped(current, callSignal);
        try {
          return await socket.call(method, params, callSignal);
        } catch (error) {
          if (how === "once" || !isGone(error)) throw error;
          await socket.closed;
        }
      }
    },
    async *follow(stream, after, until) {
      let seq = after;
      const each = (socket: RpcSocket) => followOnce(socket, stream, seq, until);
      for await (const item of overConnections(each, until)) {
        if (item.kind === "event") {
          if (item.event.seq <= seq) continue;
          seq = item.event.seq;
        }
        yield item;
      }
    },
    async *changes(until) {
      const each = (socket: RpcSocket) =>
        pushesOf(
          socket,
          () => socket.call("changes.subscribe", {}, until),
          { of: "", read: (push) => (push.event === "changed" ? push.data : undefined) },
          until,
        );
      for await (const pushed of overConnections(each, until)) yield "item" in pushed ? pushed.item : "all";
    },
    [Symbol.dispose]() {
      over.abort();
      current.then((socket) => socket[Symbol.dispose]()).catch(() => undefined);
    },
  };
}

/** An item of the daemon's log, as far as the wire carries it: reasoning is not sent. */
function readItem(push: Push, stream: StreamId, clock: Clock): LogItem | undefined {
  if (push.event === "event") {
    const { turnId, ...event } = push.data;
    if (event.stream !== stream) return undefined;
    return { kind: "event", event: turnId === undefined ? event : { ...event, turnId } };
  }
  if (push.event !== "chat.delta") return undefined;
  const { runId: turnId, itemId, offset, text } = push.data;
  const at = new Date(clock.now()).toISOString();
  return {
    kind: "delta",
    delta: { type: "assistant.delta", stream, turnId, at, itemId, itemType: "message", offset, text },
  };
}

function isGone(error: unknown): boolean {
  return error instanceof ClientError && error.code === "daemon_gone";
}
