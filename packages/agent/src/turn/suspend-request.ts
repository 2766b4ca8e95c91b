/**
 * The reason of a signal that ends the process rather than the work: whoever works stops where it is and
 * records no end, so that a later process goes on from there. It is also what they reject with.
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
