import { abortReason, throwIfAborted } from "./coded-error.ts";

/** Settles as `promise` does, or rejects with the signal's reason as soon as that aborts. */
export async function untilStopped<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  throwIfAborted(signal);
  const { promise: stopped, reject } = Promise.withResolvers<never>();
  const stop = (): void => reject(abortReason(signal));
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
