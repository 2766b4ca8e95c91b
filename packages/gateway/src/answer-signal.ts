import type { ServerResponse } from "node:http";
import { GatewayError } from "./gateway-error.ts";
import { ClientGone, type OpenRequest } from "./route.ts";

/** Made when it is first asked for: most answers need none. */
export function answerSignal(response: ServerResponse, stopping: AbortSignal): OpenRequest["ends"] {
  let signal: AbortSignal | undefined;
  return () => (signal ??= watch(response, stopping));
}

function watch(response: ServerResponse, stopping: AbortSignal): AbortSignal {
  const ends = new AbortController();
  const stop = (): void =>
    ends.abort(
      // Running work continues at the next start: asked again, it would be done twice.
      new GatewayError("shutting_down", "Running work continues at the next start", {
        headers: { connection: "close", "x-should-retry": "false" },
      }),
    );
  const leave = (): void => {
    stopping.removeEventListener("abort", stop);
    if (!response.writableFinished) ends.abort(new ClientGone("The client has left"));
  };
  if (stopping.aborted) stop();
  else stopping.addEventListener("abort", stop, { once: true });
  if (response.destroyed) leave();
  else response.once("close", leave);
  return ends.signal;
}
