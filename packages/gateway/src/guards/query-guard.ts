import { GatewayError } from "../gateway-error.ts";
import type { Guard } from "./host-guard.ts";

const SECRET_NAME = /^(?:access[_-]?token|api[_-]?key|auth|authorization|bearer|token)$/i;

/** Everything after the first question mark, further ones included. */
export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}

/** Refuses secrets in the address, where histories, logs and referrers would keep them. */
export const refuseTokenInQuery: Guard = (message) => {
  for (const name of queryOf(message.url ?? "").keys()) {
    if (!SECRET_NAME.test(name)) continue;
    throw new GatewayError("token_in_query", `The query parameter ${name} is refused`, {
      hint: "Send the token as `Authorization: Bearer …`",
    });
  }
};
