import type { GrantsDesk } from "@deputy/agent";
import { parseId } from "@deputy/kit";
import { grantListSchema, standingGrantSchema } from "@deputy/protocol/wire";
import { GatewayError } from "../gateway-error.ts";
import { ok, type Route } from "../route.ts";
import { json } from "../route-doc.ts";

export function grantsRoutes(deps: { readonly grants: GrantsDesk }): readonly Route[] {
  const { grants } = deps;
  return [
    {
      method: "GET",
      path: "/api/grants",
      auth: "bearer",
      doc: {
        summary: "Grants beyond one call that can still allow something",
        answers: { 200: json(grantListSchema) },
      },
      handle: async () => ok({ grants: await grants.list() }),
    },
    {
      method: "POST",
      path: "/api/grants/:id/revoke",
      auth: "bearer",
      doc: {
        summary: "Revoke a grant: from the next call on it allows nothing",
        answers: { 200: json(standingGrantSchema) },
      },
      handle: async ({ params, caller }) => {
        const id = parseId("grant", params["id"] ?? "");
        const outcome = id === undefined ? undefined : await grants.revoke(id, caller.name);
        if (outcome === undefined || outcome.kind === "unknown")
          throw new GatewayError("not_found", "There is no such grant");
        return ok(outcome.grant);
      },
    },
  ];
}
