import type { Duplex } from "node:stream";
import type { Clock } from "@deputy/kit";
import type { WebSocket } from "ws";
import { closeCodes } from "./close-codes.ts";

/** Writes to one connection, so that a client that does not read costs a limited amount. */
export interface SocketWriter {
  /**
   * Sends at once. Beyond the hard limit the connection is closed instead: the client asked for more than it
   * reads.
   */
  send(frame: object): void;
  hasRoom(): boolean;
  /**
   * Resolves once little enough waits to be read. A client that has taken nothing for long is cut off, and
   * this then never resolves by itself: the signal, which aborts with the connection, rejects it.
   */
  room(signal: AbortSignal): Promise<void>;
}

export interface SocketWriterLimits {
  /** Bytes that may wait before data that can be read from the log again has to wait. */
  readonly socketBufferBytes: number;
  readonly socketMostBufferBytes: number;
  readonly stallMs: number;
}

export function createSocketWriter(deps: {
  readonly ws: WebSocket;
  readonly socket: Duplex;
  readonly clock: Clock;
  readonly limits: SocketWriterLimits;
  /** Called when there is room again. */
  readonly onRoom: () => void;
}): SocketWriter {
  const { ws, socket, limits } = deps;
  const waiting = new Set<() => void>();
  const hasRoom = (): boolean => ws.bufferedAmount <= limits.socketBufferBytes;
  const giveUp = (): void => ws.close(closeCodes.slowReader, "Read faster; subscribe again with `after`");

  socket.on("drain", () => {
    if (!hasRoom()) return;
    const woken = [...waiting];
    waiting.clear();
    for (const wake of woken) wake();
    deps.onRoom();
  });

  const untilDrained = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const drained = new AbortController();
      const settle = (): void => {
        signal.removeEventListener("abort", stop);
        drained.abort();
      };
      const wake = (): void => {
        settle();
        resolve();
      };
      const stop = (): void => {
        waiting.delete(wake);
        settle();
        reject(signal.reason as Error);
      };
      signal.addEventListener("abort", stop, { once: true });
      waiting.add(wake);
      deps.clock.sleep(limits.stallMs, drained.signal).then(giveUp, () => undefined);
    });

  return {
    hasRoom,
    send(frame) {
      if (ws.readyState !== ws.OPEN) return;
      if (ws.bufferedAmount > limits.socketMostBufferBytes) giveUp();
      else ws.send(JSON.stringify(frame));
    },
    async room(signal) {
      // Checked again after each wake, because another writer may have filled the room first.
      while (!hasRoom()) {
        signal.throwIfAborted();
        await untilDrained(signal);
      }
    },
  };
}
