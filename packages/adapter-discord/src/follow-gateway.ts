import { ChannelsError } from "@deputy/channels";
import type { Clock } from "@deputy/kit";
import type { REST } from "@discordjs/rest";
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import { discordFailure, fatalClose } from "./discord-failure.ts";
import type { GatewaySession } from "./progress.ts";

export interface Dispatch {
  readonly sequence: number;
  readonly type: string;
  readonly data: unknown;
}

/** `GUILD_MESSAGES` and `DIRECT_MESSAGES`. Neither has to be allowed by Discord: messages to Deputy have their text anyway. */
const INTENTS = (1 << 9) | (1 << 12);
const HANDSHAKE_MS = 10_000;
const GOODBYE_MS = 1_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/**
 * Follows what happens, from where the session was left; broken connections are made anew. Resolves when the signal
 * aborts, and leaves the session open so that it can be gone on with. Rejects with `refused`, and with another
 * `ChannelsError` if Discord does not say where its gateway is.
 */
export async function followGateway(
  options: {
    readonly rest: REST;
    readonly token: string;
    readonly clock: Clock;
    readonly session: GatewaySession | undefined;
    /** Discord has begun another session, or forgotten the one there was. */
    readonly onSession: (session: GatewaySession | undefined) => void;
    readonly onDispatch: (dispatch: Dispatch) => void;
    readonly isWrong: (error: ChannelsError) => void;
    readonly isWell: () => void;
  },
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const { rest, token, clock } = options;
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => undefined);
  let session = withShard(options.session);
  let state = "away" as "away" | "connecting" | "up";
  let failures = 0;
  let settled = Promise.withResolvers<void>();

  /** The library connects again at once; Discord wants to be left alone for a while. Never rejects, as it would be lost. */
  const mayConnect = async (): Promise<void> => {
    const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    if (failures > 0) await clock.sleep(Math.random() * longest, signal).catch(() => undefined);
    if (signal.aborted) return await new Promise<never>(() => undefined);
    state = "connecting";
    settled = Promise.withResolvers();
  };

  const manager = new WebSocketManager({
    token,
    rest,
    intents: INTENTS,
    shardCount: 1,
    handshakeTimeout: HANDSHAKE_MS,
    retrieveSessionInfo: async () => {
      if (state === "away") await mayConnect();
      return session;
    },
    updateSessionInfo: (_shard, info) => {
      // A connection that Deputy ends itself is gone on with later.
      if (signal.aborted) return;
      const isOther = info?.sessionId !== session?.sessionId;
      session = info;
      if (isOther) options.onSession(info === null ? undefined : info);
    },
  });
  manager.on(WebSocketShardEvents.Hello, () => {
    state = "up";
    settled.resolve();
  });
  const isWell = (): void => {
    failures = 0;
    options.isWell();
  };
  manager.on(WebSocketShardEvents.Ready, isWell);
  manager.on(WebSocketShardEvents.Resumed, isWell);
  manager.on(WebSocketShardEvents.Dispatch, ({ data: { s: sequence, t: type, d: data } }) =>
    options.onDispatch({ sequence, type, data }),
  );
  manager.on(WebSocketShardEvents.Closed, ({ code }) => {
    const fatal = fatalClose(code);
    if (fatal !== undefined) over.reject(fatal);
    else if (state !== "up") {
      failures += 1;
      options.isWrong(new ChannelsError("not_sent", "Discord cannot be reached"));
    }
    state = "away";
    settled.resolve();
  });
  // What is wrong with a connection is said when it closes.
  manager.on(WebSocketShardEvents.Error, () => undefined);

  const stop = (): void => over.resolve();
  signal.addEventListener("abort", stop, { once: true });
  manager.connect().catch((error: unknown) => {
    // Once there was an attempt, the library goes on by itself.
    if (state === "away" && failures === 0) over.reject(discordFailure(error, "again"));
  });
  try {
    await over.promise;
  } finally {
    signal.removeEventListener("abort", stop);
    const wait = new AbortController();
    // The library lets go of a connection that is just being made, and then nobody would hear of its failure.
    if (state === "connecting")
      await Promise.race([settled.promise, clock.sleep(HANDSHAKE_MS, wait.signal).catch(() => undefined)]);
    const late = clock.sleep(GOODBYE_MS, wait.signal).catch(() => undefined);
    await Promise.race([goodbye(manager), late]);
    wait.abort();
  }
}

/** Any code but 1000 and 1001 leaves the session open at Discord. */
const LEAVES_SESSION = 4_200;

async function goodbye(manager: WebSocketManager): Promise<void> {
  try {
    await manager.destroy({ code: LEAVES_SESSION });
  } catch {
    // It is gone already.
  }
}

function withShard(session: GatewaySession | undefined): SessionInfo | null {
  return session === undefined ? null : { ...session, shardId: 0, shardCount: 1 };
}
