import { healthSchema } from "@deputy/protocol";
import { ok, type Route } from "../route.ts";
import { json } from "../route-doc.ts";

export function healthRoute(version: string): Route {
  return {
    method: "GET",
    path: "/health",
    auth: "none",
    doc: { summary: "Whether it is up, and which version", answers: { 200: json(healthSchema) } },
    handle: async () => ok({ status: "ok", version }),
  };
}
