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
