import { deliveryReceiptSchema } from "@deputy/protocol";
import { HOOK_PATH, type HookDeps, takeDelivery } from "../hooks/take-delivery.ts";
import { accepted, ok, type Route } from "../route.ts";
import { json } from "../route-doc.ts";

/** The addresses where others report events. */
export function hooksRoutes(deps: HookDeps): readonly Route[] {
  return [
    {
      method: "POST",
      path: HOOK_PATH,
      auth: "own_secret",
      takes: "signed",
      doc: {
        summary: "Report an event to a webhook, with its signature; sending it again changes nothing",
        body: "signed",
        answers: { 202: json(deliveryReceiptSchema) },
      },
      handle: async (request) => {
        const taken = await takeDelivery(deps, request);
        if (taken.kind === "challenge") return ok(taken.body);
        return accepted({ deliveryId: taken.deliveryId, duplicate: taken.kind === "duplicate" });
      },
    },
  ];
}
