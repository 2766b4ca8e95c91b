import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { createDeliveries, type DeliveryFault } from "./delivery-fault.ts";

/**
 * Slack's Socket Mode as its documentation describes it: connections are opened with a one-time ticket, and envelopes
 * come again until they are acknowledged.
 */
export interface SlackSocket {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  ticket(): string;
  /** `once`: Slack does not send it again. */
  push(type: string, payload: object, how: "again" | "once"): void;
  upset(how: DeliveryFault): void;
  connections(): number;
  /** Ends the connections as Slack does every few hours. */
  recycle(): void;
  cut(): void;
  close(): void;
}

interface Envelope {
  readonly id: string;
  readonly type: string;
  readonly payload: object;
  readonly isOnce: boolean;
  attempts: number;
  isLost: boolean;
}

const ACK_MS = 3_000;
const MOST_ATTEMPTS = 4;

export function openSlackSocket({ isDown }: { readonly isDown: () => boolean }): SlackSocket {
  const server = new WebSocketServer({ noServer: true });
  const deliveries = createDeliveries();
  const tickets = new Set<string>();
  const sockets = new Set<WebSocket>();
  const waiting: Envelope[] = [];
  const unacked = new Map<string, NodeJS.Timeout>();
  const sent = new Map<string, Envelope>();
  let next = 0;

  const flush = (): void => {
    const [socket] = sockets;
    if (socket === undefined || isDown()) return;
    for (let envelope = waiting.shift(); envelope !== undefined; envelope = waiting.shift()) {
      const { id, type, payload, attempts, isLost } = envelope;
      envelope.attempts += 1;
      sent.set(id, envelope);
      unacked.set(
        id,
        setTimeout(() => comesAgain(id), ACK_MS),
      );
      if (isLost) {
        envelope.isLost = false;
        return socket.terminate();
      }
      const again = attempts === 0 ? {} : { retry_attempt: attempts, retry_reason: "timeout" };
      socket.send(
        JSON.stringify({ envelope_id: id, type, payload, accepts_response_payload: false, ...again }),
      );
    }
  };
  const comesAgain = (id: string): void => {
    const envelope = sent.get(id);
    clearTimeout(unacked.get(id));
    unacked.delete(id);
    sent.delete(id);
    if (envelope === undefined || envelope.isOnce || envelope.attempts >= MOST_ATTEMPTS) return;
    waiting.push(envelope);
    flush();
  };
  const open = (socket: WebSocket): void => {
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      for (const id of unacked.keys()) comesAgain(id);
    });
    socket.on("message", (bytes: Buffer) => {
      const { envelope_id: id } = JSON.parse(bytes.toString()) as { envelope_id: string };
      clearTimeout(unacked.get(id));
      unacked.delete(id);
      sent.delete(id);
    });
    socket.send(
      JSON.stringify({ type: "hello", num_connections: sockets.size, connection_info: { app_id: "A1" } }),
    );
    flush();
  };

  return {
    upgrade(request, socket, head) {
      const ticket = new URL(request.url ?? "", "http://x").searchParams.get("ticket") ?? "";
      if (tickets.delete(ticket)) server.handleUpgrade(request, socket, head, open);
      else socket.destroy();
    },
    ticket() {
      const ticket = `ticket-${++next}`;
      tickets.add(ticket);
      return ticket;
    },
    push(type, payload, how) {
      deliveries.happen(payload, (one, arrives) => {
        const isLost = arrives === "lost";
        waiting.push({
          id: `env-${++next}`,
          type,
          payload: one,
          attempts: 0,
          isOnce: how === "once",
          isLost,
        });
      });
      flush();
    },
    upset: deliveries.upset,
    connections: () => sockets.size,
    recycle() {
      for (const socket of sockets)
        socket.send(JSON.stringify({ type: "disconnect", reason: "refresh_requested", debug_info: {} }));
    },
    cut() {
      for (const socket of sockets) socket.terminate();
    },
    close() {
      for (const late of unacked.values()) clearTimeout(late);
      for (const socket of sockets) socket.terminate();
      server.close();
    },
  };
}
