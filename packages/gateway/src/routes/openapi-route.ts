import { openApiSchema, openRpcSchema } from "@deputy/protocol/wire";
import { ok, type Route } from "../route.ts";
import { json } from "../route-doc.ts";

/** The description of `routes` and of this route, for programs. Built at the first request, and kept. */
export function openApiRoute(routes: readonly Route[], version: string): Route {
  let made: unknown;
  const self: Route = {
    method: "GET",
    path: "/openapi.json",
    auth: "bearer",
    doc: { summary: "This description", answers: { 200: json(openApiSchema) } },
    handle: async () => {
      const { describeRoutes } = await import("../openapi/describe-routes.ts");
      made ??= describeRoutes([...routes, self], version);
      return ok(made);
    },
  };
  return self;
}

/** The description of the methods of `/ws`. Built at the first request, and kept. */
export function openRpcRoute(version: string): Route {
  let made: unknown;
  return {
    method: "GET",
    path: "/openrpc.json",
    auth: "bearer",
    doc: { summary: "The methods of the WebSocket", answers: { 200: json(openRpcSchema) } },
    handle: async () => {
      const { describeRpc } = await import("@deputy/protocol/rpc");
      made ??= describeRpc(version);
      return ok(made);
    },
  };
}
