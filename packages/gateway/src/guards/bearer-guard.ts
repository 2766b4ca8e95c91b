import type { IncomingMessage } from "node:http";
import { GatewayError } from "../gateway-error.ts";
import type { Caller, RouteAddress } from "../route.ts";
import type { Authenticator, Verdict } from "./authenticator.ts";
import { remoteAddress } from "./remote-address.ts";
import type { SignInAudit } from "./sign-in-audit.ts";

/** The caller of a route with `auth: "bearer"`. Rejects with `unauthorized` or `too_many_attempts`. */
export type BearerGuard = (message: IncomingMessage, route: RouteAddress) => Promise<Caller>;

export function createBearerGuard(deps: {
  readonly authenticate: Authenticator;
  readonly audit: SignInAudit;
}): BearerGuard {
  return async (message, route) => {
    const verdict = deps.authenticate(message);
    auditSignIn(deps.audit, message, route, verdict);
    if (verdict.kind === "accepted") return verdict.caller;
    throw verdict.kind === "blocked" ? blocked(verdict.retryMs) : unauthorized(verdict.reason);
  };
}

/** Records who signed in, or failed to, and by which way. */
export function auditSignIn(
  audit: SignInAudit,
  message: IncomingMessage,
  route: RouteAddress,
  verdict: Verdict,
): void {
  const signIn = {
    from: remoteAddress(message),
    route: `${route.method} ${route.path}`,
    client: message.headers["user-agent"],
  };
  if (verdict.kind === "accepted") {
    const { name: who, stillValid } = verdict.caller;
    audit.accepted({ ...signIn, who, stillValid });
    return;
  }
  audit.rejected({ ...signIn, reason: verdict.kind === "blocked" ? "too_many_attempts" : verdict.reason });
}

function unauthorized(reason: "missing_token" | "wrong_token"): GatewayError {
  const message = reason === "missing_token" ? "No token was sent" : "The token is not the current one";
  return new GatewayError("unauthorized", message, {
    hint: "`deputy token` prints the token; send it as `Authorization: Bearer …`",
    headers: { "www-authenticate": 'Bearer realm="deputy"' },
  });
}

function blocked(retryMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(retryMs / 1_000));
  return new GatewayError(
    "too_many_attempts",
    `Too many wrong tokens came from this client; wait ${seconds} s`,
    {
      hint: "A program on this machine may be using an old token",
      headers: { "retry-after": String(seconds) },
    },
  );
}
