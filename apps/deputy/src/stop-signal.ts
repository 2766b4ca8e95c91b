import { StopRequest } from "@deputy/agent";

/**
 * Turns what the outside does to stop this process into one signal. A second Ctrl-C leaves at once.
 * `disconnect` is the launcher's death, when this runs under one.
 */
export function openStopSignal(): { readonly signal: AbortSignal; readonly interrupt: () => void } {
  const stop = new AbortController();
  const request = (by: string) => (): void => {
    if (stop.signal.aborted && by === "user") process.exit(130);
    stop.abort(new StopRequest(by));
  };
  process.on("SIGINT", request("user"));
  process.on("SIGTERM", request("shutdown"));
  process.on("SIGHUP", request("shutdown"));
  process.on("disconnect", request("shutdown"));
  process.channel?.unref();
  return { signal: stop.signal, interrupt: request("user") };
}
