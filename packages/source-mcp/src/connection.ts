import { type Clock, throwIfAborted, untilStopped } from "@deputy/kit";
import type * as Sdk from "@modelcontextprotocol/client";
import { z } from "zod";
import type { ToolContext } from "@deputy/tools";
import { ToolsError } from "@deputy/tools";
import { answerElicitation, type Elicitation } from "./answer-elicitation.ts";
import { toFailure } from "./failure.ts";
import type { Listing } from "./listing.ts";
import type { McpTransport } from "./mcp-transport.ts";
import { openClient, type OpenClient, type SignIn } from "./open-client.ts";
import { createPatience, type Patience } from "./patience.ts";
import { createProgressFeed } from "./progress-feed.ts";
import { showHidden } from "./show-hidden.ts";

/** A server that is connected when it is needed, and again after it was lost. */
export interface McpConnection extends AsyncDisposable {
  /** Connects first if needed. Rejects with a `ToolsError`, or the signal's reason. */
  listing(signal: AbortSignal): Promise<Listing>;
  /** The next request or listing connects again; those under way keep their connection to the end. */
  reopen(): void;
  /**
   * Sends what `send` sends. After `mcp_timeout`, `mcp_disconnected` and `mcp_invalid` it is unknown whether it took
   * effect; otherwise rejects like `listing`. An abort is sent to the server.
   */
  request<T>(
    context: RequestContext,
    send: (client: Sdk.Client, options: Sdk.RequestOptions) => Promise<T>,
  ): Promise<T>;
}

export interface ConnectionDeps {
  /** The user's name for the server. */
  readonly name: string;
  /** Deputy's own. */
  readonly version: string;
  /** Rejects if it cannot connect. */
  readonly openTransport: () => Promise<McpTransport>;
  readonly clock: Clock;
  /** Called for every listing: right after connecting, and whenever the server says that it has changed. */
  readonly onListed?: (listing: Listing) => void;
  /**
   * The answer that the user's browser brings back, if a request has just sent it to sign in; undefined otherwise.
   */
  readonly signedIn?: () => Promise<URLSearchParams> | undefined;
  readonly limits?: Partial<ConnectionLimits>;
}

export interface ConnectionLimits {
  readonly connectMs: number;
  /** Without an answer and without progress. */
  readonly silentMs: number;
  /** With progress. */
  readonly longestMs: number;
}

/** The parts of a call's context that a request may use. */
export type RequestContext = Pick<ToolContext, "signal"> & Partial<Pick<ToolContext, "ask" | "progress">>;

const LIMITS: ConnectionLimits = { connectMs: 30_000, silentMs: 120_000, longestMs: 3_600_000 };
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A connection lost after this time had started properly. */
const STEADY_MS = 60_000;
const LINGER_MS = 1_000;
const MOST_SIGN_INS = 2;
const MOST_QUESTIONS = 10;
const MOST_ADDRESS_CHARS = 2_000;
const addressSchema = z.object({
  mode: z.literal("url"),
  url: z.string(),
  message: z.string(),
  elicitationId: z.string(),
});
/** The SDK's own timers are not used: ours stop while the user is asked. */
const NEVER_MS = 2_147_483_647;

/** A running request, which handles questions of its server. */
interface Running {
  readonly context: RequestContext;
  readonly patience: Patience;
  questions: number;
}

export function createConnection(deps: ConnectionDeps): McpConnection {
  const { name, clock } = deps;
  const limits = { ...LIMITS, ...deps.limits };
  const closing = new AbortController();
  const running = new Set<Running>();
  /** For clients that are given up: how many requests still use each. */
  const users = new Map<OpenClient, number>();
  let current: Promise<OpenClient> | undefined;
  /** Connections that were replaced: their end is not a loss. */
  const replaced = new WeakSet<Promise<OpenClient>>();
  const leaving = new Set<Promise<void>>();
  let losses = 0;
  let notBeforeMs = 0;

  const noteLoss = (sinceMs: number): void => {
    const nowMs = clock.monotonicMs();
    losses = nowMs - sinceMs > STEADY_MS ? 1 : losses + 1;
    notBeforeMs = nowMs + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (losses - 1));
  };

  const elicit = async (question: Elicitation): Promise<Sdk.ElicitResult> => {
    // The protocol does not say which of several calls it is about; the latest is the most likely.
    const call = [...running].at(-1);
    if (call?.context.ask === undefined || ++call.questions > MOST_QUESTIONS) return { action: "decline" };
    const { ask } = call.context;
    return await call.patience.pause(() => answerElicitation(name, ask, question));
  };

  /** A server that refuses a call until the user has been somewhere: asks about each address, then resolves. */
  const visitAddresses = async (call: Running, wanted: unknown, cause: Error): Promise<void> => {
    const addresses = z.array(addressSchema).min(1).max(MOST_QUESTIONS).safeParse(wanted);
    const failure = (why: string): ToolsError => new ToolsError("mcp_failed", `${name}: ${why}`, { cause });
    if (!addresses.success) throw failure("it wants you to open an address, but names none");
    for (const question of addresses.data) {
      const shown = showHidden(question.url.slice(0, MOST_ADDRESS_CHARS));
      if (call.context.ask === undefined)
        throw failure(`it wants you to open ${shown} first, and nobody can be asked here`);
      if (++call.questions > MOST_QUESTIONS) throw failure(`it keeps asking you to open ${shown}`);
      const { ask } = call.context;
      const { action } = await call.patience.pause(() => answerElicitation(name, ask, question));
      if (action !== "accept") throw failure(`it wants you to open ${shown} first, and you said no`);
    }
  };

  const signIn: SignIn = async (way, attempt) => {
    const answer = attempt < MOST_SIGN_INS ? deps.signedIn?.() : undefined;
    if (answer === undefined || way.finishAuth === undefined) return false;
    await way.finishAuth(await answer);
    return true;
  };

  const connect = async (): Promise<OpenClient> => {
    const { signal } = closing;
    await clock.sleep(notBeforeMs - clock.monotonicMs(), signal);
    const startedMs = clock.monotonicMs();
    const opening = current;
    try {
      return await openClient(
        {
          name,
          version: deps.version,
          openTransport: deps.openTransport,
          connectMs: limits.connectMs,
          elicit,
          signIn,
          onListed: (listing) => deps.onListed?.(listing),
          onClose() {
            if (current === opening) current = undefined;
            if (opening === undefined || !replaced.has(opening)) noteLoss(startedMs);
          },
        },
        signal,
      );
    } catch (error) {
      throwIfAborted(signal);
      noteLoss(startedMs);
      throw toFailure(await import("@modelcontextprotocol/client"), name, "connect", error);
    }
  };

  /** One attempt for all who wait; none of them can stop it for the others. */
  const connected = async (signal: AbortSignal): Promise<OpenClient> => {
    throwIfAborted(closing.signal);
    if (current === undefined) {
      const opening = connect();
      current = opening;
      opening.catch(() => {
        if (current === opening) current = undefined;
      });
    }
    return await untilStopped(current, signal);
  };

  /** The next request gets another one; those that are under way keep it to their end. */
  const giveUp = async (open: OpenClient): Promise<void> => {
    if ((await current?.catch(() => undefined)) === open) current = undefined;
  };

  const release = async (open: OpenClient): Promise<void> => {
    const left = (users.get(open) ?? 1) - 1;
    users.set(open, left);
    if (left > 0) return;
    users.delete(open);
    if ((await current?.catch(() => undefined)) !== open) await open.client.close().catch(() => undefined);
  };

  /** Closes the client after requests that have just begun with it are counted; the last of them closes it then. */
  const closeLater = async (before: Promise<OpenClient>): Promise<void> => {
    const open = await before.catch(() => undefined);
    await clock.sleep(LINGER_MS, closing.signal).catch(() => undefined);
    if (open !== undefined && !users.has(open)) await open.client.close().catch(() => undefined);
  };

  const request: McpConnection["request"] = async (context, send) => {
    const { signal, progress } = context;
    const open = await connected(signal);
    users.set(open, (users.get(open) ?? 0) + 1);
    const late = new ToolsError(
      "mcp_timeout",
      `${name}: it did not answer within ${limits.silentMs / 1000} s`,
    );
    using patience = createPatience(clock, limits.silentMs, late);
    const call: Running = { context, patience, questions: 0 };
    running.add(call);
    const startedMs = clock.monotonicMs();
    using feed = createProgressFeed(clock, (message) => progress?.(message));
    const any = AbortSignal.any([signal, patience.signal, closing.signal]);
    const options: Sdk.RequestOptions = {
      signal: any,
      timeout: NEVER_MS,
      onprogress(told) {
        if (clock.monotonicMs() - startedMs < limits.longestMs) patience.renew();
        feed.take(told);
      },
    };
    const sendSignedIn = async () => {
      for (let attempt = 0; ; attempt++) {
        try {
          return await send(open.client, options);
        } catch (error) {
          if (any.aborted) throw error;
          if (error instanceof open.sdk.UrlElicitationRequiredError) {
            await visitAddresses(call, error.elicitations, error);
            continue;
          }
          if (!(await signIn(open.way, attempt))) throw error;
        }
      }
    };
    try {
      return await untilStopped(sendSignedIn(), any);
    } catch (error) {
      throwIfAborted(any);
      if (isSessionGone(open, error)) throw new SessionGone(open, error);
      const failure = toFailure(open.sdk, name, "request", open.way.fault?.() ?? error, open.way);
      if (failure.code === "mcp_disconnected") await giveUp(open);
      throw failure;
    } finally {
      running.delete(call);
      await release(open);
    }
  };

  return {
    async listing(signal) {
      const open = await connected(signal);
      try {
        return await untilStopped(open.listing(), signal);
      } catch (error) {
        throwIfAborted(signal);
        throw toFailure(open.sdk, name, "connect", open.way.fault?.() ?? error, open.way);
      }
    },
    reopen() {
      const before = current;
      current = undefined;
      if (before === undefined) return;
      replaced.add(before);
      const ending = closeLater(before).finally(() => leaving.delete(ending));
      leaving.add(ending);
    },
    async request(context, send) {
      try {
        return await request(context, send);
      } catch (error) {
        if (!(error instanceof SessionGone)) throw error;
        // The request was refused before it had any effect, so it can be sent again.
        await giveUp(error.open);
      }
      try {
        return await request(context, send);
      } catch (error) {
        if (!(error instanceof SessionGone)) throw error;
        throw toFailure(error.open.sdk, name, "request", error.cause);
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new ToolsError("mcp_disconnected", `${name}: Deputy is closing`));
      const open = await current?.catch(() => undefined);
      await open?.way.endSession?.();
      await open?.client.close().catch(() => undefined);
      await Promise.all(leaving);
    },
  };
}

class SessionGone extends Error {
  readonly open: OpenClient;

  constructor(open: OpenClient, cause: unknown) {
    super("The server does not know the session", { cause });
    this.open = open;
  }
}

/** How a server says that it does not know a session, or no longer knows it. */
function isSessionGone({ sdk, way }: OpenClient, error: unknown): boolean {
  const isHttp = error instanceof sdk.SdkHttpError && way.transport.sessionId !== undefined;
  return isHttp && [400, 404].includes(error.data.status);
}
