import { type Clock, createIdleTimer } from "@deputy/kit";
import type { EngineModule, FromGuest, ToGuest } from "../guest/messages.ts";

/** A worker as the host sees it, in Node or in a browser. */
export interface WorkerLink {
  post(message: ToGuest): void;
  /** Replaces the previous listeners. `onExit` comes once, whatever ended it. */
  listen(events: { readonly onMessage: (message: FromGuest) => void; readonly onExit: () => void }): void;
  /** Stops the worker whatever it is doing. Idempotent. */
  terminate(): void;
  /** Runs `check` once messages that have already arrived are delivered. */
  afterMessages(check: () => void): void;
  /** How long it has computed since its last message; Infinity if unknown. Never rejects. */
  computingMs(): Promise<number>;
  /** True if the host has to stay alive for it. */
  setBusy(isBusy: boolean): void;
  /** Resolves when it is gone. */
  readonly exited: Promise<void>;
}

/** A worker for one cell until it is released. */
export interface Lease {
  readonly link: WorkerLink;
  readonly engine: EngineModule;
  /** Numbers the cell among all that the worker has run. */
  readonly cell: number;
  /** True if the cell only waits; it can then be asked to give up its worker. */
  setWaiting(isWaiting: boolean): void;
  /** Once. `gone`: the worker was stopped. */
  release(state: "idle" | "gone"): void;
}

export interface WorkerPool {
  /**
   * A worker for a cell. If all are taken, `giveUp` of a waiting cell is called, and the lease comes when one
   * is released. Rejects when `signal` aborts, or if no engine or worker is available.
   */
  lease(engine: () => Promise<EngineModule>, giveUp: () => void, signal: AbortSignal): Promise<Lease>;
}

export interface WorkerPoolLimits {
  /** The most workers; a cell that finds none free waits. */
  readonly workers: number;
  /** Workers kept warm between cells. */
  readonly idleWorkers: number;
  /** After this time without a cell, they are stopped too, which frees their memory. */
  readonly idleMs: number;
}

interface Seeker {
  readonly take: (worker: WorkerLink) => void;
  readonly fail: (error: unknown) => void;
}

/** Workers are started as cells need them, and reused. Disposing stops them all. */
export function createWorkerPool(deps: {
  readonly startWorker: (signal: AbortSignal) => Promise<WorkerLink>;
  /** Its sleeps should not keep an idle host alive. */
  readonly clock: Clock;
  readonly limits: WorkerPoolLimits;
}): WorkerPool & AsyncDisposable {
  const { limits } = deps;
  const closing = new AbortController();
  const alive = new Set<WorkerLink>();
  const idle: WorkerLink[] = [];
  const seekers: Seeker[] = [];
  /** Cells that only wait, longest first, and how to ask for their worker. */
  const waiting = new Map<Lease, () => void>();
  const quiet = createIdleTimer({
    clock: deps.clock,
    idleMs: limits.idleMs,
    onIdle: () => idle.splice(0).forEach((worker) => worker.terminate()),
  });
  let starting = 0;
  let cells = 0;

  /** A worker is free or may be started: the cell that waits longest gets it. */
  const serve = (): void => {
    while (seekers.length > 0) {
      const warm = idle.pop();
      if (warm !== undefined) seekers.shift()?.take(warm);
      else if (alive.size + starting < limits.workers) void startFor(seekers.shift());
      else break;
    }
    const [giveUp] = waiting.values();
    if (seekers.length > 0) giveUp?.();
  };
  const startFor = async (seeker: Seeker | undefined): Promise<void> => {
    starting += 1;
    try {
      const worker = await deps.startWorker(closing.signal);
      alive.add(worker);
      void worker.exited.then(() => forget(worker));
      seeker?.take(worker);
    } catch (error) {
      seeker?.fail(error);
    } finally {
      starting -= 1;
      serve();
    }
  };
  const forget = (worker: WorkerLink): void => {
    alive.delete(worker);
    const at = idle.indexOf(worker);
    if (at >= 0) idle.splice(at, 1);
    serve();
  };
  const giveBack = (worker: WorkerLink): void => {
    if (closing.signal.aborted || (seekers.length === 0 && idle.length >= limits.idleWorkers)) {
      worker.terminate();
      return;
    }
    worker.listen({ onMessage: () => {}, onExit: () => {} });
    worker.setBusy(false);
    idle.push(worker);
    quiet.restart();
    serve();
  };

  const seek = (signal: AbortSignal): Promise<WorkerLink> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        const at = seekers.indexOf(seeker);
        if (at >= 0) seekers.splice(at, 1);
        reject(signal.reason);
      };
      const seeker: Seeker = {
        take(worker) {
          signal.removeEventListener("abort", leave);
          if (signal.aborted) giveBack(worker);
          else resolve(worker);
        },
        fail(error) {
          signal.removeEventListener("abort", leave);
          reject(error);
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      seekers.push(seeker);
      serve();
    });

  return {
    async lease(engineOf, giveUp, caller) {
      const signal = AbortSignal.any([caller, closing.signal]);
      const engine = await engineOf();
      signal.throwIfAborted();
      const link = await seek(signal);
      link.setBusy(true);
      cells += 1;
      let released = false;
      const lease: Lease = {
        link,
        engine,
        cell: cells,
        setWaiting(isWaiting) {
          waiting.delete(lease);
          if (!isWaiting || released) return;
          waiting.set(lease, giveUp);
          if (seekers.length > 0) serve();
        },
        release(state) {
          released = true;
          waiting.delete(lease);
          if (state === "idle") giveBack(link);
        },
      };
      return lease;
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      quiet.stop();
      const exits = [...alive].map((worker) => worker.exited);
      for (const worker of alive) {
        worker.setBusy(true);
        worker.terminate();
      }
      await Promise.all(exits);
    },
  };
}
