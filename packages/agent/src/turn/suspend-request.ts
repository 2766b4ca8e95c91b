/**
 * The reason of a signal that ends the process and not the work: the worker stops where it is and records no end, so
 * that a later process can continue from there. The worker also rejects with it.
 */
export class SuspendRequest extends Error {
  override readonly name = "AbortError";

  constructor(message = "Deputy is shutting down; a later start goes on from here") {
    super(message);
  }
}

export function isSuspended(signal: AbortSignal): boolean {
  return signal.aborted && signal.reason instanceof SuspendRequest;
}

export function throwIfSuspended(signal: AbortSignal): void {
  if (isSuspended(signal)) throw signal.reason;
}
