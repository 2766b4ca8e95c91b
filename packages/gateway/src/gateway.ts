import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import type { AgentRegistry, ApprovalDesk, GrantsDesk } from "@deputy/agent";
import type { SessionService } from "@deputy/agent/sessions";
import type { CodedError, Clock } from "@deputy/kit";
import type { BlobStore, EventLog } from "@deputy/protocol";
import type { Channels, Conversations, Inbox, TaskService } from "@deputy/tasks";
import { defaultGatewayLimits, type GatewayLimits } from "./gateway-limits.ts";
import { createAttemptLimiter } from "./guards/attempt-limiter.ts";
import { createAuthenticator, type Verdict } from "./guards/authenticator.ts";
import { auditSignIn, createBearerGuard } from "./guards/bearer-guard.ts";
import { createClientIdentity } from "./guards/client-identity.ts";
import { createHostGuard, hostNames } from "./guards/host-guard.ts";
import { createOriginGuard } from "./guards/origin-guard.ts";
import { createPeerUid, type PeerUid } from "./guards/peer-uid.ts";
import { refuseTokenInQuery } from "./guards/query-guard.ts";
import { createSignInAudit } from "./guards/sign-in-audit.ts";
import { createDeliveryRate } from "./hooks/delivery-rate.ts";
import { type Hook, hostsOf } from "./hooks/hook.ts";
import { createHttpApp } from "./http-app.ts";
import { listenOn } from "./listen.ts";
import { createOpenStreams } from "./open-streams.ts";
import type { PageFiles } from "./routes/page-routes.ts";
import { createRoutes } from "./routes/routes.ts";
import type { Route } from "./route.ts";
import { createPageSessions, type SignInStore } from "./sign-in/page-sessions.ts";
import { createSignInCodes } from "./sign-in/sign-in-codes.ts";
import type { EngineParts } from "./ws/methods/engine-handlers.ts";
import type { SetupParts } from "./ws/methods/setup-handlers.ts";
import { acceptUpgrades, SOCKET_ROUTE } from "./ws/upgrades.ts";

export interface Gateway extends AsyncDisposable {
  /** Every route with its method and auth rule: what there is to test and to document. */
  readonly routes: readonly Route[];
  /** A code for a link that opens the page signed in, once, within two minutes: `/#sign-in=CODE`. */
  signInCode(): string;
  /**
   * Accepts requests once resolved. Rejects with `not_loopback`, `port_in_use` or `cannot_listen`,
   * or with the signal's reason when it aborts before that. Once per gateway.
   */
  listen(signal: AbortSignal): Promise<{ readonly url: string }>;
  /**
   * Resolves once no event stream is open, or when the signal aborts. A stream ends by itself after its task's
   * `completed`, so closing after this does not cut it off.
   */
  idle(signal: AbortSignal): Promise<void>;
  /**
   * Stops accepting, ends event streams and sockets, refuses requests that were not read yet with `shutting_down`,
   * lets those under way finish within `limits.closeMs` and then cuts them off. Idempotent, never rejects.
   */
  close(): Promise<void>;
}

export interface GatewayDeps extends EngineParts, SetupParts {
  readonly log: EventLog;
  readonly tasks: TaskService;
  readonly approvals: ApprovalDesk;
  readonly grants: GrantsDesk;
  readonly agents: AgentRegistry;
  /** The agent that answers when none is named. */
  readonly defaultAgent: string;
  readonly sessions: SessionService;
  readonly conversations: Conversations;
  readonly blobs: BlobStore;
  /** The webhooks there are now, and where what comes to them goes. */
  readonly hooks: () => readonly Hook[];
  readonly inbox: Inbox;
  /** What chat apps need kept. Default: none can be connected. */
  readonly channels?: () => Promise<Channels>;
  readonly clock: Clock;
  /** The current token; read at each request, so that a new one counts at once. */
  readonly token: () => string;
  /** The token for `/metrics` alone; read at each request. Default: there are no metrics. */
  readonly metricsToken?: () => string | undefined;
  readonly version: string;
  /** The reason why nothing new can be stored now, for `/health`. Default: none. */
  readonly trouble?: () => CodedError<string> | undefined;
  /** Takes known secrets out of what is shown to a model elsewhere. Default: none is known. */
  readonly redact?: (text: string) => string;
  readonly page: PageFiles;
  /** Which browsers are signed in. Default: known until the gateway ends. */
  readonly signIns?: SignInStore;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Must be true for a `host` that other machines can reach. */
  readonly allowRemote?: boolean;
  /** Further `host:port` values by which clients may address the server, say behind a proxy. */
  readonly allowedHosts?: readonly string[];
  /** Pages besides our own that may use the gateway, each as a browser writes an origin: `http://localhost:5173`. */
  readonly origins?: readonly string[];
  /** Whose program is at the other end of a local connection. Default: as Linux reports it. */
  readonly peerUid?: PeerUid;
  readonly limits?: Partial<GatewayLimits>;
  /** Called for failures that no client may see: bugs, streams that broke, sign-ins that could not be recorded. */
  readonly onBug?: (error: unknown) => void;
}

export function createGateway(deps: GatewayDeps): Gateway {
  const { clock, log } = deps;
  const limits = { ...defaultGatewayLimits, ...deps.limits };
  const onBug = deps.onBug ?? (() => undefined);
  const stopping = new AbortController();
  let allowedHosts: ReadonlySet<string> = new Set();
  let closed: Promise<void> | undefined;

  const attempts = {
    clock,
    maxWrong: limits.wrongTokens,
    windowMs: limits.wrongTokenWindowMs,
    maxAddresses: limits.wrongTokenAddresses,
  };
  const limiter = createAttemptLimiter(attempts);
  const audit = createSignInAudit({ log, clock, limits, onFailure: onBug });
  const hookDoor = {
    ...deps,
    audit,
    limiter: createAttemptLimiter(attempts),
    rate: createDeliveryRate({ clock }),
  };
  const metricsDoor = {
    token: deps.metricsToken ?? (() => undefined),
    audit,
    limiter: createAttemptLimiter(attempts),
  };
  const codes = createSignInCodes({ clock });
  const pageSessions = createPageSessions({ clock, token: deps.token, store: deps.signIns });
  const routes = createRoutes({
    ...deps,
    limits,
    stopping: stopping.signal,
    hookDoor,
    metricsDoor,
    signIn: { codes, pageSessions },
    onBug,
  });
  const streams = createOpenStreams(limits);
  const clientOf = createClientIdentity({
    peerUid: deps.peerUid ?? createPeerUid(),
    ownUid: process.getuid?.(),
  });
  const authenticate = createAuthenticator({ token: deps.token, pageSessions, limiter, clientOf });
  const origins = createOriginGuard(deps.origins ?? []);
  const hookHosts = () => hostsOf(deps.hooks());
  const checkHost = createHostGuard({ allowedHosts: () => allowedHosts, hookHosts });
  const server = createHttpApp({
    routes,
    guards: [checkHost, refuseTokenInQuery, origins.refuseOtherOrigins],
    origins,
    bearer: createBearerGuard({ authenticate, audit }),
    clock,
    limits,
    streams,
    stopping: stopping.signal,
    onBug,
  });
  const connections = trackIdleConnections(server);
  const sockets = acceptUpgrades(server, {
    guards: [checkHost, refuseTokenInQuery, origins.refuseOtherPages],
    limits,
    stopping: stopping.signal,
    onBug,
    load: async () => {
      const { createSocketServer } = await import("./ws/socket-server.ts");
      const signIn = (token: string, message: IncomingMessage): Verdict => {
        const verdict = authenticate(message, token);
        auditSignIn(audit, message, SOCKET_ROUTE, verdict);
        return verdict;
      };
      return createSocketServer({ ...deps, limits, onBug, signIn, pageSessions });
    },
  });

  const closeOnce = async (): Promise<void> => {
    stopping.abort();
    await sockets.close();
    await readArrived();
    const done = new AbortController();
    const closing = new Promise<void>((resolve) => void server.close(() => resolve())).finally(() =>
      done.abort(),
    );
    connections.closeIdle();
    await Promise.race([closing, clock.sleep(limits.closeMs, done.signal).catch(() => undefined)]);
    server.closeAllConnections();
    await closing;
    await audit.close();
  };
  const close = (): Promise<void> => (closed ??= closeOnce());

  return {
    routes,
    signInCode: () => codes.issue().code,
    async listen(signal) {
      const { url, host, port } = await listenOn(server, deps, signal);
      allowedHosts = hostNames(host, port, deps.allowedHosts ?? []);
      return { url };
    },
    idle: (signal) => streams.idle(signal),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Resolves once everything that had arrived is read: the system resets a connection that is closed with unread bytes,
 * and its client could not tell whether they were. One turn of the event loop may be half over, the next accepts a
 * connection, and the third reads from it.
 */
async function readArrived(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
}

/**
 * Returns a function that ends every idle connection, and the others as soon as they are idle. Node's own
 * counts one that has never sent anything as busy, and browsers open such connections in advance.
 */
function trackIdleConnections(server: Server): { readonly closeIdle: () => void } {
  const open = new Set<Socket>();
  const busy = new Set<Socket>();
  let isClosing = false;
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => {
      open.delete(socket);
      busy.delete(socket);
    });
  });
  server.on("request", ({ socket }, response) => {
    busy.add(socket);
    response.once("close", () => {
      busy.delete(socket);
      if (isClosing) socket.destroySoon();
    });
  });
  return {
    closeIdle() {
      isClosing = true;
      for (const socket of open) if (!busy.has(socket)) socket.destroy();
    },
  };
}
