import { abortReason } from "@deputy/kit";

/** The promise, or the signal's reason as soon as it is aborted. The promise's later outcome is ignored. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(abortReason(signal));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    const settled = (): void => signal.removeEventListener("abort", stop);
    promise.finally(settled).then(resolve, reject);
  });
}
