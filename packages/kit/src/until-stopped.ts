import { abortReason } from "./coded-error.ts";

/**
 * Settles as `promise` does, or rejects with the signal's reason as soon as that aborts. How the promise ends after
 * that is ignored, also where the signal had aborted before.
 */
export function untilStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abortReason(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const settled = (): void => signal.removeEventListener("abort", stop);
    promise.finally(settled).then(resolve, reject);
  });
}
