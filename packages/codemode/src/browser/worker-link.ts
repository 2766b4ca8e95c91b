import { throwIfAborted } from "@deputy/kit";
import type { FromGuest } from "../guest/messages.ts";
import type { WorkerLink } from "../host/worker-pool.ts";

/** A worker that is not ready by then is given up. */
const MAX_START_MS = 30_000;

/** A sandbox worker of a page; resolves once it is ready. Rejects if it fails first; an abort stops it. */
export async function linkWorker(worker: Worker, signal: AbortSignal): Promise<WorkerLink> {
  const ready = Promise.withResolvers<void>();
  const exit = Promise.withResolvers<void>();
  let onMessage: (message: FromGuest) => void = () => ready.resolve();
  let onExit = (): void => ready.reject(new Error("The sandbox's worker did not start"));

  // A page is not told when a worker ends, but only we end it: on request, or when it is broken.
  const terminate = (): void => {
    worker.terminate();
    exit.resolve();
  };
  void exit.promise.then(() => onExit());
  worker.addEventListener("message", (event: MessageEvent<FromGuest>) => onMessage(event.data));
  worker.addEventListener("messageerror", terminate);
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    terminate();
  });

  const timer = setTimeout(terminate, MAX_START_MS);
  signal.addEventListener("abort", terminate, { once: true });
  if (signal.aborted) terminate();
  try {
    await ready.promise;
  } catch (error) {
    throwIfAborted(signal);
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", terminate);
  }
  return {
    post: (message) => worker.postMessage(message),
    listen(events) {
      ({ onMessage, onExit } = events);
    },
    terminate,
    // Messages that have arrived are already queued as tasks, so this one comes after them.
    afterMessages: (check) => void setTimeout(check),
    // A page cannot find out how much of the elapsed time a worker actually ran.
    computingMs: async () => Number.POSITIVE_INFINITY,
    setBusy: () => {},
    exited: exit.promise,
  };
}
