import type { IncomingMessage } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { z } from "zod";
import { createDeliveries, type DeliveryFault } from "./delivery-fault.ts";

/**
 * Discord's gateway as its documentation describes it: hello, heartbeats, identify, resume with what was missed, and
 * the codes with which it ends connections that do not keep to that.
 */
export interface DiscordGateway {
  readonly server: WebSocketServer;
  open(socket: WebSocket, request: IncomingMessage): void;
  /** Something happens: every session hears of it, also one that nobody is connected to. */
  dispatch(type: string, data: object, intent: number, more?: DispatchMore): void;
  /** What is dispatched next comes with this fault. */
  upset(how: DeliveryFault): void;
  /** Asks everybody to come back (op 7), or cuts the connections. */
  end(how: "reconnect" | "cut"): void;
  /** Forgets all sessions; `tells`: those connected hear of it (op 9). */
  forget(how: "silently" | "tells"): void;
  /** From now on heartbeats get no answer. */
  mute(): void;
  disallow(intents: number): void;
  connections(): number;
  /** How often somebody identified, and how often somebody resumed. */
  readonly counts: { identified: number; resumed: number };
}

interface DispatchMore {
  /** Content without the privilege of seeing all: shown anyway, if it is said to Deputy. */
  readonly hide?: (data: object) => object;
}

interface Session {
  readonly id: string;
  readonly intents: number;
  readonly sent: { readonly s: number; readonly t: string; readonly d: object }[];
  socket: WebSocket | undefined;
}

const KNOWN_INTENTS = 0x3_37_ff_ff;
export const MESSAGE_CONTENT = 1 << 15;
const MOST_SENT = 120;

const payloadSchema = z.object({ op: z.int(), d: z.unknown() });
const identifySchema = z.object({
  token: z.string(),
  intents: z.int(),
  properties: z.object({ os: z.string(), browser: z.string(), device: z.string() }),
  shard: z.tuple([z.int(), z.int()]).optional(),
});
const resumeSchema = z.object({ token: z.string(), session_id: z.string(), seq: z.int() });

export function openDiscordGateway(deps: {
  readonly isToken: (token: string) => boolean;
  readonly ready: (intents: number) => object;
  readonly url: () => string;
  readonly heartbeatMs: number;
}): DiscordGateway {
  const server = new WebSocketServer({ noServer: true });
  const deliveries = createDeliveries();
  const sessions = new Map<string, Session>();
  const counts = { identified: 0, resumed: 0 };
  const sockets = new Set<WebSocket>();
  let next = 0;
  let disallowed = 0;
  let isMute = false;

  const send = (socket: WebSocket, op: number, d: unknown, more: object = { s: null, t: null }): void => {
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ op, d, ...more }));
  };
  const deliver = (session: Session, t: string, d: object): void => {
    const s = session.sent.length + 1;
    session.sent.push({ s, t, d });
    if (session.socket !== undefined) send(session.socket, 0, d, { s, t });
  };

  const identify = (socket: WebSocket, raw: unknown): Session | number => {
    const read = identifySchema.safeParse(raw);
    if (!read.success) return 4_002;
    const { token, intents, shard } = read.data;
    if (!deps.isToken(token)) return 4_004;
    if ((intents & ~KNOWN_INTENTS) !== 0) return 4_013;
    if ((intents & disallowed) !== 0) return 4_014;
    if (shard !== undefined && shard[0] >= shard[1]) return 4_010;
    counts.identified += 1;
    const session: Session = { id: `session-${++next}`, intents, sent: [], socket };
    sessions.set(session.id, session);
    deliver(session, "READY", {
      ...deps.ready(intents),
      session_id: session.id,
      resume_gateway_url: deps.url(),
    });
    return session;
  };
  const resume = (socket: WebSocket, raw: unknown): Session | number => {
    const read = resumeSchema.safeParse(raw);
    if (!read.success) return 4_002;
    const { token, session_id: id, seq } = read.data;
    if (!deps.isToken(token)) return 4_004;
    const session = sessions.get(id);
    if (session === undefined) {
      send(socket, 9, false);
      return 0;
    }
    if (seq > session.sent.length) return 4_007;
    counts.resumed += 1;
    session.socket?.close(4_000);
    session.socket = socket;
    for (const { s, t, d } of session.sent.slice(seq)) send(socket, 0, d, { s, t });
    deliver(session, "RESUMED", {});
    return session;
  };

  return {
    server,
    counts,
    open(socket, request) {
      const query = new URL(request.url ?? "", "http://x").searchParams;
      if (query.get("v") !== "10" || query.get("encoding") !== "json") return socket.close(4_012);
      sockets.add(socket);
      let session: Session | undefined;
      let received = 0;
      let beats = setTimeout(() => undefined, 0);
      const expectBeat = (): void => {
        clearTimeout(beats);
        beats = setTimeout(() => socket.close(4_009), deps.heartbeatMs * 2);
      };
      expectBeat();
      socket.on("close", (code: number) => {
        sockets.delete(socket);
        clearTimeout(beats);
        if (session?.socket === socket) session.socket = undefined;
        // A client that says goodbye is not waited for.
        if (session !== undefined && (code === 1_000 || code === 1_001)) sessions.delete(session.id);
      });
      socket.on("message", (bytes: Buffer) => {
        received += 1;
        if (received > MOST_SENT) return socket.close(4_008);
        const read = payloadSchema.safeParse(jsonOf(bytes.toString()));
        if (!read.success) return socket.close(4_002);
        const { op, d } = read.data;
        if (op === 1) {
          expectBeat();
          if (!isMute) send(socket, 11, null);
          return;
        }
        if (op !== 2 && op !== 6) return socket.close(session === undefined ? 4_003 : 4_001);
        if (session !== undefined) return socket.close(4_005);
        const outcome = op === 2 ? identify(socket, d) : resume(socket, d);
        if (typeof outcome !== "number") session = outcome;
        else if (outcome !== 0) socket.close(outcome);
      });
      send(socket, 10, { heartbeat_interval: deps.heartbeatMs });
    },
    upset: deliveries.upset,
    dispatch(type, data, intent, { hide } = {}) {
      deliveries.happen(data, (one, how) => {
        for (const session of sessions.values()) {
          if (intent !== 0 && (session.intents & intent) === 0) continue;
          const isHidden = hide !== undefined && (session.intents & MESSAGE_CONTENT) === 0;
          if (how === "lost") session.socket?.terminate();
          if (how === "lost") session.socket = undefined;
          deliver(session, type, isHidden ? hide(one) : one);
        }
      });
    },
    end(how) {
      for (const socket of sockets)
        if (how === "cut") socket.terminate();
        else send(socket, 7, null);
    },
    forget(how) {
      const known = [...sessions.values()];
      sessions.clear();
      for (const { socket } of known) if (how === "tells" && socket !== undefined) send(socket, 9, false);
    },
    mute: () => void (isMute = true),
    disallow: (intents) => void (disallowed = intents),
    connections: () => [...sessions.values()].filter(({ socket }) => socket !== undefined).length,
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
