/** Why a turn is told to stop, and by whom; the reason of the signal that stops it. */
export class StopRequest extends Error {
  override readonly name = "AbortError";
  readonly by: string;

  constructor(by: string) {
    super(`Stopped by ${by}`);
    this.by = by;
  }
}

/** Who stopped it, as far as the signal tells. */
export function stoppedBy(signal: AbortSignal): string {
  return signal.reason instanceof StopRequest ? signal.reason.by : "deputy";
}
