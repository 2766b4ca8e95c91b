import { ok, type Route } from "../route.ts";

export function healthRoute(version: string): Route {
  return {
    method: "GET",
    path: "/health",
    auth: "none",
    handle: async () => ok({ status: "ok", version }),
  };
}
