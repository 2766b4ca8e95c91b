/** Says why a turn stops and who stopped it. It is the reason of the signal that stops the turn. */
export class StopRequest extends Error {
  override readonly name = "AbortError";
  readonly by: string;

  constructor(by: string) {
    super(`Stopped by ${by}`);
    this.by = by;
  }
}

/** The one who stopped it, if the signal's reason says so. */
export function stoppedBy(signal: AbortSignal): string {
  return signal.reason instanceof StopRequest ? signal.reason.by : "deputy";
}

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
