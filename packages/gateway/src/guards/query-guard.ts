import { GatewayError } from "../gateway-error.ts";
import type { Guard } from "./host-guard.ts";

const SECRET_NAME = /^(?:access[_-]?token|api[_-]?key|auth|authorization|bearer|token)$/i;

/** Refuses secrets in the address, where histories, logs and referrers would keep them. */
export const refuseTokenInQuery: Guard = (message) => {
  const [, search = ""] = (message.url ?? "").split("?", 2);
  for (const name of new URLSearchParams(search).keys()) {
    if (!SECRET_NAME.test(name)) continue;
    throw new GatewayError("token_in_query", `The query parameter ${name} is refused`, {
      hint: "Send the token as `Authorization: Bearer …`",
    });
  }
};
