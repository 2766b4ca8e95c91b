import type { Clock } from "@deputy/kit";
import type { Accepted, Inbox } from "@deputy/tasks";
import { GatewayError } from "../gateway-error.ts";
import type { AttemptLimiter } from "../guards/attempt-limiter.ts";
import { remoteAddress } from "../guards/remote-address.ts";
import type { SignInAudit } from "../guards/sign-in-audit.ts";
import type { SignedRequest } from "../route.ts";
import type { DeliveryRate } from "./delivery-rate.ts";
import type { Hook } from "./hook.ts";
import { parsePayload } from "./parse-payload.ts";
import type { Refusal, Sent } from "./scheme.ts";
import { sha256Hex, isSame } from "./same-secret.ts";
import { schemes } from "./schemes.ts";

/** Used if there is no such hook: the same work is done before the same answer. */
const DECOY: Hook = {
  id: "",
  name: "",
  tokenSha256: "",
  scheme: "standard",
  secret: "bm90aGluZyBpcyBzaWduZWQgd2l0aCB0aGlz",
  maxBytes: 0,
  maxPerMinute: 0,
};

export interface HookDeps {
  /** The current hooks; read at each request. */
  readonly hooks: () => readonly Hook[];
  readonly inbox: Inbox;
  readonly clock: Clock;
  /**
   * Limits wrong signatures and unknown addresses. It is separate from the limiter of the owner's token, which
   * strangers must not use up.
   */
  readonly limiter: AttemptLimiter;
  readonly rate: DeliveryRate;
  readonly audit: Pick<SignInAudit, "rejected">;
}

export type Taken =
  | { readonly kind: Accepted["kind"]; readonly deliveryId: string }
  | { readonly kind: "challenge"; readonly body: unknown };

const DELIVERY_ID_CHARS = 200;

export const HOOK_PATH = "/api/hooks/:token";

/**
 * Takes one delivery, from the limits to the log. Nothing of it is read, parsed or kept before its signature is
 * verified. Durable once resolved; rejects with the error that the sender gets.
 */
export async function takeDelivery(deps: HookDeps, request: SignedRequest): Promise<Taken> {
  const { message, raw, params } = request;
  const found = findHook(deps.hooks(), params["token"] ?? "");
  const hook = found ?? DECOY;
  const scheme = schemes[hook.scheme];
  const sent = sentBy(request, deps.clock.now());
  const from = remoteAddress(message);
  // Per hook: a stranger who tries one address does not block deliveries to another from there.
  const tries = `${from} ${found?.id ?? "unknown"}`;
  const refuse = (reason: Refusal | "unknown_hook" | "too_many_attempts"): void =>
    deps.audit.rejected({
      from,
      route: `POST ${HOOK_PATH}`,
      client: message.headers["user-agent"],
      how: found === undefined ? "hook" : `hook ${hook.name}`,
      reason,
    });

  const blockedMs = deps.limiter.blockedMs(tries);
  if (blockedMs > 0) {
    refuse("too_many_attempts");
    throw tooMany("too_many_attempts", "Too many wrong deliveries came from this address", blockedMs);
  }
  const refusal = scheme.refusal(sent, hook);
  if (found === undefined || refusal !== undefined) {
    deps.limiter.countWrong(tries);
    refuse(found === undefined ? "unknown_hook" : (refusal ?? "wrong_signature"));
    throw new GatewayError("unauthorized", "There is no such hook, or the signature is wrong");
  }
  const waitMs = deps.rate.count(hook);
  if (waitMs > 0)
    throw tooMany("too_many_deliveries", "This hook accepts no more deliveries in this minute", waitMs);
  if (raw.length > hook.maxBytes)
    throw new GatewayError("body_too_large", `This hook accepts at most ${hook.maxBytes} bytes`);
  const contentType = message.headers["content-type"] ?? "";
  const payload = parsePayload(contentType, raw, scheme);
  const challenge = scheme.challenge?.(payload);
  if (challenge !== undefined) return { kind: "challenge", body: challenge };
  const misfit = hook.misfit?.(payload);
  if (misfit !== undefined) throw new GatewayError("invalid_request", misfit, { field: "body" });

  const { key, deliveryId: named = key, event } = scheme.identify(sent, payload, hook);
  const deliveryId = named.slice(0, DELIVERY_ID_CHARS);
  const { kind } = await deps.inbox.accept({
    hookId: hook.id,
    hook: hook.name,
    scheme: hook.scheme,
    key,
    deliveryId,
    ...(event === undefined ? {} : { event: event.slice(0, DELIVERY_ID_CHARS) }),
    contentType: contentType.slice(0, DELIVERY_ID_CHARS),
    bytes: raw.length,
    sha256: sent.sha256,
    payload,
  });
  return { kind, deliveryId };
}

function sentBy({ message, raw }: SignedRequest, nowMs: number): Sent {
  return {
    header: (name) => {
      const [value, ...more] = message.headersDistinct[name] ?? [];
      return more.length > 0 ? undefined : value;
    },
    raw,
    sha256: sha256Hex(raw),
    url: message.url ?? "",
    nowMs,
  };
}

function tooMany(
  code: "too_many_attempts" | "too_many_deliveries",
  message: string,
  waitMs: number,
): GatewayError {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1_000)));
  return new GatewayError(code, message, { headers: { "retry-after": seconds } });
}

/**
 * The hook whose address has this token. It compares all hooks, so the time it takes shows only how many there are.
 */
function findHook(hooks: readonly Hook[], token: string): Hook | undefined {
  const presented = sha256Hex(token);
  let found: Hook | undefined;
  for (const hook of hooks) if (isSame(presented, hook.tokenSha256)) found = hook;
  return found;
}
