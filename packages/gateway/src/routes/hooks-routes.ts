import { GatewayError } from "../gateway-error.ts";
import type { Route } from "../route.ts";

/** Where others will report what happened. There is nothing yet that would listen: whatever comes is refused. */
export function hooksRoutes(): readonly Route[] {
  return ["/api/hooks/:token", "/.well-known/workflow/v1/webhook/:token"].map((path) => ({
    method: "POST",
    path,
    auth: "own_secret",
    doc: { summary: "A webhook; not available in this version", answers: {} },
    handle: async () => {
      throw new GatewayError("not_available", "This version takes no webhooks");
    },
  }));
}
