import type { WasiClock } from "../host/host-context.ts";
import { findJspi } from "./suspend.ts";

/** The time of this machine. Where programs cannot be suspended, a sleep holds up the thread: run them in a worker. */
export function createSystemWasiClock(waiting: "suspend" | "spool" = "suspend"): WasiClock {
  const nanoseconds = (ms: number): bigint => BigInt(Math.round(ms * 1000)) * 1000n;
  const suspends = waiting === "suspend" && findJspi() !== undefined;
  return {
    realtime: () => nanoseconds(performance.timeOrigin + performance.now()),
    monotonic: () => nanoseconds(performance.now()),
    sleep(time, signal) {
      const ms = Math.min(Number(time) / 1e6, LONGEST_MS);
      if (suspends) return sleepLater(ms, signal);
      return sleepHere(ms);
    },
  };
}

/** What timers can hold. */
const LONGEST_MS = 2_147_483_647;

function sleepLater(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = (): void => {
    clearTimeout(timer);
    reject(signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"));
  };
  const timer = setTimeout(() => {
    signal.removeEventListener("abort", stop);
    resolve();
  }, ms);
  if (signal.aborted) stop();
  else signal.addEventListener("abort", stop, { once: true });
  return promise;
}

function sleepHere(ms: number): void {
  if (typeof SharedArrayBuffer !== "undefined") {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    return;
  }
  const end = performance.now() + ms;
  while (performance.now() < end);
}
